"""The host's side of the agent's protocol (docs/hosts.md).

    with Client(Pipe(["./agent"])) as agent:
        agent.hello()
        ...

`protocol` encodes and checks lines, `pipe` is a transport, `conversation` handles bad lines, and
`client` has the commands.
"""

from axiometer.runs.agent.client import Client
from axiometer.runs.agent.pipe import Pipe

__all__ = ["Client", "Pipe"]
