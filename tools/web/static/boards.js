// The landing page's list of boards: only those that have all words typed.
const field = document.getElementById("filter");
const rows = [...document.querySelectorAll("#of-boards tbody tr")];
field.addEventListener("input", () => {
  const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
  for (const row of rows) {
    const text = row.textContent.toLowerCase();
    row.hidden = !words.every((word) => text.includes(word));
  }
  const shown = rows.filter((row) => !row.hidden).length;
  document.getElementById("count").textContent = `${shown} of ${rows.length}`;
});
