/** A program with the constructs of the output of the nesC compiler, trimmed; a task that a handler posts reads through null. */
export const NESC = {
  expected:
    "Blink$fired$runTask Blink$report$runTask; sig_TIMERB0_VECTOR sig_UART1RX_VECTOR; Blink$armed Blink$message",
  phase: 2,
  text: `# 1 "Blink.nc"
typedef unsigned char uint8_t; typedef unsigned short uint16_t; typedef unsigned int uint32_t;
typedef uint8_t error_t; typedef uint8_t __nesc_atomic_t;
typedef struct { unsigned char nxdata[2]; } __attribute__((packed)) nx_uint16_t;
typedef struct { nx_uint16_t counter; uint8_t which:1, rest:7; } __attribute__((packed)) radio_msg_t;
typedef struct { uint8_t header[4]; radio_msg_t data; } message_t;
enum { SUCCESS = 0, FAIL = 1, EBUSY = 5 };
enum { Blink$fired = 0U, Blink$report = 1U };
volatile unsigned char U1RXBUF __asm("0x007E");
static volatile uint8_t TBCCTL0 __asm("0x0182");
static inline uint16_t __nesc_ntoh_uint16(const void *source) { const uint8_t *base = source; return (uint16_t)(base[0] << 8 | base[1]); }
static inline uint16_t __nesc_hton_uint16(void *target, uint16_t value) { uint8_t *base = target; base[1] = (uint8_t)value; base[0] = (uint8_t)(value >> 8); return value; }
__nesc_atomic_t __nesc_atomic_start(void) { __asm volatile ("dint"); __asm volatile ("nop"); __asm volatile ("" : : : "memory"); return 0; }
void __nesc_atomic_end(__nesc_atomic_t state) { if (state) __asm volatile ("eint"); }
static uint8_t SchedulerBasicP$m_head, SchedulerBasicP$m_tail, SchedulerBasicP$m_next[2];
static error_t SchedulerBasicP$TaskBasic$postTask(uint8_t id);
static message_t Blink$packet; static message_t *Blink$message; static uint8_t Blink$armed; static uint8_t Blink$count;
# 30 "BlinkC.nc"
static inline error_t /*Blink*/Blink$report$postTask(void) { error_t result; result = SchedulerBasicP$TaskBasic$postTask(Blink$report); return result; }
static void Blink$fired$runTask(void) {
  { __nesc_atomic_t __nesc_atomic = __nesc_atomic_start();
    { if (Blink$armed) { Blink$armed = 2; { __nesc_atomic_end(__nesc_atomic); return; } } }
    __nesc_atomic_end(__nesc_atomic); }
  switch (Blink$count) { case 1: Blink$count = 0; case 2: goto nosync; default: Blink$report$postTask(); }
  nosync: Blink$count++;
}
static void Blink$report$runTask(void) {
  uint32_t offset = (uint32_t)(unsigned long)&((message_t *)0)->data;
  Blink$packet.data.which = 1;
  __nesc_hton_uint16(&Blink$message->data.counter, (uint16_t)(offset + __nesc_ntoh_uint16(&Blink$packet.data.counter)));
}
static void SchedulerBasicP$TaskBasic$runTask(uint8_t id) {
  switch (id) {
    case Blink$fired: Blink$fired$runTask(); break;
    case Blink$report: Blink$report$runTask(); break;
    default: break;
  }
}
static void SchedulerBasicP$Scheduler$init(void) { SchedulerBasicP$m_head = 255; SchedulerBasicP$m_tail = 255; }
static _Bool SchedulerBasicP$Scheduler$runNextTask(void) { if (SchedulerBasicP$m_head == 255) return 0; SchedulerBasicP$TaskBasic$runTask(SchedulerBasicP$m_head); return 1; }
static error_t SchedulerBasicP$TaskBasic$postTask(uint8_t id) { SchedulerBasicP$m_next[SchedulerBasicP$m_tail] = id; return SUCCESS; }
static void SchedulerBasicP$Scheduler$taskLoop(void) { for (;;) SchedulerBasicP$Scheduler$runNextTask(); }
# 80 "HplMsp430.nc"
__attribute((wakeup)) __attribute((interrupt(26))) void sig_TIMERB0_VECTOR(void) {
  if (Blink$armed) SchedulerBasicP$TaskBasic$postTask(Blink$report);
}
__attribute__((interrupt(6))) void sig_UART1RX_VECTOR(void) { if (U1RXBUF == 7) Blink$message = 0; }
int main(void) {
  { __nesc_atomic_t __nesc_atomic = __nesc_atomic_start(); SchedulerBasicP$Scheduler$init(); while (SchedulerBasicP$Scheduler$runNextTask()) ; __nesc_atomic_end(__nesc_atomic); }
  Blink$message = &Blink$packet; TBCCTL0 = 0x10; Blink$armed = 1;
  SchedulerBasicP$TaskBasic$postTask(Blink$fired);
  SchedulerBasicP$Scheduler$taskLoop();
  return 0;
}
`,
} as const;
