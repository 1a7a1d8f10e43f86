#!/bin/sh
# Adds dist/site to the branch gh-pages as the folder of a version, and pushes that branch.
# Usage: tools/web/publish.sh VERSION BASE      (BASE as for versions.py)
set -eu
top=$(pwd) pages=build/pages
rm -rf "$pages"
git worktree prune
git worktree add --quiet --detach "$pages"
cd "$pages"
if git fetch --quiet origin gh-pages; then
  git switch --quiet --detach FETCH_HEAD
else
  git switch --quiet --orphan gh-pages # the first version of all
fi
rm -rf "$1"
cp -r "$top/dist/site" "$1"
python3 "$top/tools/web/versions.py" . "$2"
touch .nojekyll # so that files whose names begin with _ are served
git add --all
git -c user.name=docs -c user.email=docs@localhost commit --quiet --allow-empty --message "Site of $1"
git push --quiet origin HEAD:refs/heads/gh-pages
