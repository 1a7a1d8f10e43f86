/* The kernel as it is used here: fixed priorities, preemption, memory of the linker's only. What
 * each word means: FreeRTOS Reference Manual, chapter "FreeRTOSConfig.h". */
#ifndef FREERTOS_CONFIG_H
#define FREERTOS_CONFIG_H

#include "axm/chip.h"

#define configUSE_PREEMPTION 1
#define configUSE_TIME_SLICING 1
#define configTICK_RATE_HZ 1000
#define configTICK_TYPE_WIDTH_IN_BITS TICK_TYPE_WIDTH_32_BITS
#define configMAX_PRIORITIES 5
#define configMINIMAL_STACK_SIZE 512 /* words */
#define configMAX_TASK_NAME_LEN 12
#define configUSE_IDLE_HOOK 1
#define configUSE_TICK_HOOK 1
#define configCHECK_FOR_STACK_OVERFLOW 2
#define configUSE_TASK_NOTIFICATIONS 1
#define configTASK_NOTIFICATION_ARRAY_ENTRIES 2 /* the second is the library's (rtos.c) */
#define configUSE_MUTEXES 1

#define configSUPPORT_STATIC_ALLOCATION 1
#define configSUPPORT_DYNAMIC_ALLOCATION 0
#define configKERNEL_PROVIDED_STATIC_MEMORY 1

#define INCLUDE_vTaskDelay 1
#define INCLUDE_vTaskSuspend 1
#define INCLUDE_xTaskGetSchedulerState 1
#define INCLUDE_xTaskGetCurrentTaskHandle 1

/* A wrong call, such as one that blocks in an interrupt, ends the program and prints its line. */
void axm_rtos_wrong(const char *file, int line);
#define configASSERT(x) ((x) ? (void)0 : axm_rtos_wrong(__FILE__, __LINE__))

/* The interrupt controller. Interrupts of a priority from 0x90 on may call the kernel: the fabric's
 * has 0xA0, the tick's is the lowest. */
#define configINTERRUPT_CONTROLLER_BASE_ADDRESS AXM_GIC
#define configINTERRUPT_CONTROLLER_CPU_INTERFACE_OFFSET (AXM_GIC_CPU - AXM_GIC)
#define configUNIQUE_INTERRUPT_PRIORITIES AXM_PRIORITIES
#define configMAX_API_CALL_INTERRUPT_PRIORITY (0x90u / (256u / AXM_PRIORITIES))
void axm_tick_start(void);
void axm_tick_clear(void);
#define configSETUP_TICK_INTERRUPT() axm_tick_start()
#define configCLEAR_TICK_INTERRUPT() axm_tick_clear()

#endif
