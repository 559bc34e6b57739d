/* WCET style: what a statechart tool generates for a car window, with one bit vector of events and nested switches. */
#define TRUE 1
#define FALSE 0

unsigned long Event[64];
unsigned short int tm_SETTLE;
unsigned short int tm_REVERSE;
unsigned long cycle, time;
int sc_HOME, sc_BACK;
char CMD_UP, CMD_DOWN, ECU_UP, ECU_DOWN, ECU_DOOR, SENSE_CURRENT;
char SENSE_CURRENT_old, ECU_STALL, ECU_STALL_old, ECU_MOTOR, ECU_MOTOR_old;
int CMD_POSITION, ECU_POSITION;
int STALL_WATCH_state, STALL_state, DRIVE_state, SERVICE_state, MOVE_state, HOME_state;
char stable;
char step;

void init(void)
{
  tm_SETTLE = 0;
  tm_REVERSE = 0;
  CMD_UP = 0;
  CMD_DOWN = 0;
  ECU_UP = 0;
  ECU_DOWN = 0;
  ECU_MOTOR = 0;
  ECU_STALL = 0;
  STALL_WATCH_state = 0;
  STALL_state = 0;
  DRIVE_state = 0;
  SERVICE_state = 0;
  MOVE_state = 0;
  HOME_state = 0;
}

void interface(void)
{
  if (Event[0] == 1)
    time++;
  if (Event[3])
    CMD_UP = Event[4] ? 1 : 0;
  if (Event[5])
    CMD_DOWN = Event[6] ? 1 : 0;
  if (Event[7] && Event[8])
    ECU_DOOR = 1;
  else
    ECU_DOOR = 0;
  ECU_STALL_old = ECU_STALL;
  ECU_MOTOR_old = ECU_MOTOR;
  SENSE_CURRENT_old = SENSE_CURRENT;
  SENSE_CURRENT = (char)Event[9];
}

void chart_STALL(void)
{
  if (STALL_state) {
    switch (STALL_WATCH_state) {
    case 1:
      if (ECU_MOTOR != ECU_MOTOR_old && ECU_MOTOR > 0) {
        stable = 0;
        STALL_WATCH_state = 2;
        tm_SETTLE = (unsigned short)time;
      }
      break;
    case 2:
      if (ECU_MOTOR == 0 && ECU_MOTOR_old != 0) {
        stable = 0;
        STALL_WATCH_state = 1;
      } else if (time - tm_SETTLE == 3) {
        stable = 0;
        STALL_WATCH_state = 3;
      }
      break;
    case 3:
      if (SENSE_CURRENT >= 2 && !(SENSE_CURRENT_old >= 2)) {
        stable = 0;
        ECU_STALL = 1;
        STALL_WATCH_state = 4;
      } else if (ECU_MOTOR == 0) {
        stable = 0;
        STALL_WATCH_state = 1;
      }
      break;
    case 4:
      if (ECU_MOTOR == 0) {
        stable = 0;
        ECU_STALL = 0;
        STALL_WATCH_state = 1;
      }
      break;
    default:
      stable = 0;
      STALL_WATCH_state = 1;
      break;
    }
  } else {
    stable = 0;
    STALL_state = 1;
    STALL_WATCH_state = 1;
  }
}

void chart_DRIVE(void)
{
  switch (DRIVE_state) {
  case 1:
    switch (MOVE_state) {
    case 1:
      if (ECU_STALL && !ECU_STALL_old) {
        stable = 0;
        ECU_MOTOR = -1;
        tm_REVERSE = (unsigned short)time;
        MOVE_state = 3;
      } else if (CMD_UP && !CMD_DOWN && ECU_POSITION < 450) {
        ECU_MOTOR = 100;
        ECU_POSITION++;
      } else if (CMD_DOWN && !CMD_UP && ECU_POSITION > 0) {
        ECU_MOTOR = -100;
        ECU_POSITION--;
      } else {
        stable = 0;
        ECU_MOTOR = 0;
        MOVE_state = 2;
      }
      break;
    case 2:
      if ((CMD_UP && !CMD_DOWN) || (CMD_DOWN && !CMD_UP)) {
        stable = 0;
        MOVE_state = 1;
      }
      break;
    case 3:
      if (time - tm_REVERSE >= 10 || ECU_POSITION <= 0) {
        stable = 0;
        ECU_MOTOR = 0;
        MOVE_state = 2;
      } else
        ECU_POSITION--;
      break;
    default:
      stable = 0;
      MOVE_state = 2;
      break;
    }
    if (ECU_DOOR == 0 && SERVICE_state == 2) {
      stable = 0;
      DRIVE_state = 2;
    }
    break;
  case 2:
    if (ECU_DOOR != 0) {
      stable = 0;
      SERVICE_state = 0;
      DRIVE_state = 1;
    }
    break;
  default:
    stable = 0;
    DRIVE_state = 1;
    MOVE_state = 2;
    break;
  }
}

void chart_HOME(void)
{
  switch (HOME_state) {
  case 0:
    if (ECU_POSITION != 0) {
      stable = 0;
      sc_HOME = 1;
      HOME_state = 1;
    }
    break;
  case 1:
    if (sc_HOME == 0 || ECU_POSITION == 0) {
      stable = 0;
      HOME_state = 2;
    }
    break;
  case 2:
    break;
  }
}

int main(void)
{
  init();
  while (1) {
    interface();
    step = 0;
    do {
      stable = 1;
      step++;
      chart_HOME();
      chart_STALL();
      chart_DRIVE();
    } while (!stable && step < 10);
    cycle++;
    if (cycle > 1000)
      break;
  }
  return 0;
}
