/* Registers and RAMs of the AXI Traffic Generator in its advanced mode (AMD PG125 v3.0, "Register
 * Space", "Command RAM", "PARAMRAM", "Master RAM").
 */
#ifndef AXM_AXI_TRAFFIC_GEN_REGISTERS_H
#define AXM_AXI_TRAFFIC_GEN_REGISTERS_H

enum {
  ATG_MASTER_CONTROL = 0x00,
  ATG_ERROR_STATUS = 0x08, /* written 1: cleared */
  ATG_ERROR_ENABLE = 0x0C,
  ATG_PARAMETERS = 0x1000, /* a word for each command: reads first, writes ATG_WRITE_WORDS behind */
  ATG_COMMANDS = 0x8000,   /* 16 bytes each: reads first, writes ATG_WRITE_COMMANDS behind */
  ATG_ADDRESSES = 0xA000,  /* high words of the commands' addresses, as the parameters lie */
  ATG_MASTER_RAM = 0xC000, /* what is written comes from it, what is read goes there */
  ATG_MASTER_RAM_BYTES = 0x2000,
  ATG_WRITE_COMMANDS = 0x1000,
  ATG_WRITE_WORDS = 0x400,
  ATG_MOST_COMMANDS = 256, /* of a direction */
};

#define ATG_ENABLE (1u << 20) /* master control: set it begins, and reads 0 when all is done */

/* Error status and enable. */
#define ATG_DONE (1u << 31)
#define ATG_READ_ID (1u << 20)
#define ATG_WRITE_ID (1u << 19)
#define ATG_WRITE_RESPONSE (1u << 18)
#define ATG_READ_RESPONSE (1u << 17)
#define ATG_READ_LENGTH (1u << 16)
#define ATG_READ_ERRORS (ATG_READ_ID | ATG_READ_RESPONSE | ATG_READ_LENGTH)
#define ATG_WRITE_ERRORS (ATG_WRITE_ID | ATG_WRITE_RESPONSE)

/* A command: address; then validity, size, burst and length; dependencies and the place in the
 * master RAM; QoS, user, cache and the response that is expected (0: OKAY). */
enum { ATG_WORD_ADDRESS, ATG_WORD_CONTROL, ATG_WORD_PLACE, ATG_WORD_SIGNALS, ATG_COMMAND_WORDS };
#define ATG_VALID (1u << 31)
#define ATG_INCREMENT (1u << 10)
enum { ATG_SIZE_SHIFT = 12, ATG_CACHE_SHIFT = 4 };

#endif
