/* Status codes: what every function of the library returns.
 *
 * AXM_OK is 0. A code has a name, one word for programs (the agent sends it), and a text for
 * people. The functions are marked, so the compiler warns of a code that is dropped.
 */
#ifndef AXM_STATUS_H
#define AXM_STATUS_H

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define AXM_CHECKED __attribute__((warn_unused_result))
#else
#define AXM_CHECKED
#endif

enum axm_status {
  AXM_OK = 0,
  AXM_ERROR_ARGUMENT,    /* a value that cannot be right, whatever the hardware */
  AXM_ERROR_RANGE,       /* a value exceeds what this hardware was built with */
  AXM_ERROR_BUS,         /* a register access was answered with an error, or not at all */
  AXM_ERROR_TIMEOUT,     /* it did not end within the time limit */
  AXM_ERROR_DEAD,        /* the target no longer answers */
  AXM_ERROR_MEMORY,      /* no DMA memory of that size is left */
  AXM_ERROR_ADDRESS,     /* the requested address is not available */
  AXM_ERROR_MAGIC,       /* no Axiometer design at this address */
  AXM_ERROR_VERSION,     /* a register map of another version */
  AXM_ERROR_TYPE,        /* a block of another type, or none */
  AXM_ERROR_BUSY,        /* running: wait for it, or stop it */
  AXM_ERROR_FULL,        /* a queue, ring or table is full */
  AXM_ERROR_EMPTY,       /* nothing to take */
  AXM_ERROR_FAULT,       /* the transfer ended with an error */
  AXM_ERROR_STOPPED,     /* the transfer was stopped before its end */
  AXM_ERROR_STATE,       /* not in the right order: another step must come first */
  AXM_ERROR_UNSUPPORTED, /* the target or the design cannot do this */
  AXM_ERROR_SYSTEM,      /* the operating system refused */
  AXM_ERROR_END,         /* the line to the host was closed */
  AXM_ERROR_OVERLONG,    /* a line that is longer than allowed */
  AXM_ERROR_DAMAGED,     /* a line that is damaged or not whole */
  AXM_ERROR_UNKNOWN,     /* unknown command or key */
  AXM_ERROR_REPEATED,    /* a line with the number of the one before it */
  AXM_ERROR_COHERENCY,   /* no port sees the processor's caches as the chip is set up */
  AXM_ERROR_FABRIC,      /* the fabric has no bitstream: it is not touched */
  AXM_STATUS_COUNT
};

/* One word for programs, such as "timeout"; "invalid" for a value that is not a status. */
const char *axm_status_name(enum axm_status status);

/* The meaning, for people. */
const char *axm_status_text(enum axm_status status);

#ifdef __cplusplus
}
#endif

#endif
