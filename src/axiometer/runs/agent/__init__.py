"""The host's side of the agent: what docs/hosts.md says, in Python.

    with Client(Pipe(["./agent"])) as agent:
        agent.hello()
        ...

`protocol` is lines and their check, `pipe` a transport, `conversation` what a bad line needs,
`client` the commands.
"""

from axiometer.runs.agent.client import Client
from axiometer.runs.agent.pipe import Pipe

__all__ = ["Client", "Pipe"]
