"""Board files made from registers: of the shipped boards, and of a user's own.

`writer.text` makes a file of decoded figures; `own.board` makes one of any writes of registers.
"""
