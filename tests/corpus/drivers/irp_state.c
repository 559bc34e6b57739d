/* Driver task: requests of an input filter, with the state of the current request in globals. Holds one wrong path. */
typedef unsigned long ULONG;
typedef long NTSTATUS;
typedef unsigned char UCHAR;

struct _DEVICE_OBJECT;
typedef struct _IO_STACK {
	UCHAR MajorFunction;
	UCHAR MinorFunction;
	UCHAR Control;
	ULONG Code;
	void *Context;
} IO_STACK, *PIO_STACK;

typedef struct _IRP {
	NTSTATUS Status;
	ULONG Information;
	signed char CurrentLocation;
	signed char StackCount;
	IO_STACK Stack[4];
	struct _DEVICE_OBJECT *Owner;
} IRP, *PIRP;

typedef struct _EXTENSION {
	struct _DEVICE_OBJECT *Lower;
	int Started;
	int Removed;
	int Enabled;
	long Pending;
	int PowerState;
} EXTENSION, *PEXTENSION;

typedef struct _DEVICE_OBJECT {
	EXTENSION *DeviceExtension;
	ULONG Flags;
} DEVICE_OBJECT, *PDEVICE_OBJECT;

#define STATUS_SUCCESS 0L
#define STATUS_PENDING 259L
#define STATUS_UNSUCCESSFUL (-1073741823L)
#define STATUS_NOT_SUPPORTED (-1073741637L)
#define STATUS_DELETE_PENDING (-1073741738L)
#define IRP_START 0
#define IRP_REMOVE 2
#define IRP_STOP 4
#define IRP_SURPRISE 23

extern int __VERIFIER_nondet_int(void);
extern long __VERIFIER_nondet_long(void);
extern void abort(void);
void reach_error(void) { }

int FRESH = 1, COMPLETED = 2, SKIPPED = 3, PASSED_ON = 4, WAITED = 5, SENT = 6;
int s, hasCompletion, lowerStatus, eventSet;
PIRP TheIrp;

static void errorFn(void)
{
	goto ERROR;
ERROR:
	reach_error();
	abort();
}

static void init_state(void)
{
	s = FRESH;
	hasCompletion = 0;
	lowerStatus = 0;
	eventSet = 0;
}

static PIO_STACK current_stack(PIRP Irp)
{
	return &Irp->Stack[(int)Irp->CurrentLocation & 3];
}

static void skip_stack(PIRP Irp)
{
	if (s == FRESH)
		s = SKIPPED;
	else
		errorFn();
	Irp->CurrentLocation++;
}

static void copy_stack(PIRP Irp)
{
	IO_STACK *from = current_stack(Irp);
	IO_STACK *to = &Irp->Stack[(Irp->CurrentLocation - 1) & 3];

	to->MajorFunction = from->MajorFunction;
	to->MinorFunction = from->MinorFunction;
	to->Code = from->Code;
	to->Control = 0;
}

static void complete_request(PIRP Irp)
{
	if (s == FRESH)
		s = COMPLETED;
	else
		errorFn();
	Irp->CurrentLocation = 0;
}

static NTSTATUS call_lower(PDEVICE_OBJECT Device, PIRP Irp)
{
	long returnVal;
	int choice = __VERIFIER_nondet_int();

	if (hasCompletion) {
		eventSet = __VERIFIER_nondet_int() != 0;
	}
	switch (choice) {
	case 0:
		returnVal = STATUS_SUCCESS;
		break;
	case 1:
		returnVal = STATUS_UNSUCCESSFUL;
		break;
	default:
		returnVal = STATUS_PENDING;
		break;
	}
	if (s == FRESH) {
		s = SENT;
		lowerStatus = (int)returnVal;
	} else if (s == SKIPPED) {
		s = PASSED_ON;
		lowerStatus = (int)returnVal;
	} else
		errorFn();
	return returnVal;
}

static NTSTATUS wait_event(void)
{
	if (s == SENT && eventSet == 0 && lowerStatus == STATUS_PENDING)
		s = WAITED;
	return STATUS_SUCCESS;
}

static NTSTATUS start_and_wait(PDEVICE_OBJECT Device, PIRP Irp)
{
	EXTENSION *ext = Device->DeviceExtension;
	NTSTATUS status;

	copy_stack(Irp);
	hasCompletion = 1;
	status = call_lower(ext->Lower, Irp);
	if (status == STATUS_PENDING) {
		wait_event();
		status = Irp->Status;
	}
	return status;
}

NTSTATUS Filter_PnP(PDEVICE_OBJECT Device, PIRP Irp)
{
	PEXTENSION ext = Device->DeviceExtension;
	PIO_STACK stack = current_stack(Irp);
	NTSTATUS status = STATUS_SUCCESS;

	switch (stack->MinorFunction) {
	case IRP_START:
		status = start_and_wait(Device, Irp);
		if (status >= 0 && Irp->Status >= 0) {
			ext->Started = 1;
			ext->Removed = 0;
		}
		Irp->Status = status;
		if (s == SENT || s == WAITED)
			s = FRESH;
		complete_request(Irp);
		break;
	case IRP_SURPRISE:
	case IRP_REMOVE:
		ext->Removed = 1;
		skip_stack(Irp);
		status = call_lower(ext->Lower, Irp);
		break;
	case IRP_STOP:
		ext->Started = 0;
		if (ext->Pending == 1) {
			/* The wrong path: the request is skipped twice. */
			skip_stack(Irp);
		}
		skip_stack(Irp);
		status = call_lower(ext->Lower, Irp);
		break;
	default:
		skip_stack(Irp);
		status = call_lower(ext->Lower, Irp);
	}
	return status;
}

NTSTATUS Filter_Power(PDEVICE_OBJECT Device, PIRP Irp)
{
	PEXTENSION ext = Device->DeviceExtension;
	int wanted = __VERIFIER_nondet_int();

	if (wanted >= 1 && wanted <= 4 && ext->PowerState != wanted)
		ext->PowerState = wanted;
	skip_stack(Irp);
	return call_lower(ext->Lower, Irp);
}

NTSTATUS Filter_Control(PDEVICE_OBJECT Device, PIRP Irp)
{
	PEXTENSION ext = Device->DeviceExtension;
	PIO_STACK stack = current_stack(Irp);
	NTSTATUS status;

	if (ext->Removed) {
		status = STATUS_DELETE_PENDING;
	} else if (!ext->Started) {
		status = STATUS_UNSUCCESSFUL;
	} else {
		switch (stack->Code) {
		case 0xb0203UL:
			if (ext->Enabled)
				status = STATUS_UNSUCCESSFUL;
			else {
				ext->Enabled = 1;
				status = STATUS_SUCCESS;
			}
			break;
		case 0xb0403UL:
			ext->Enabled = 0;
			status = STATUS_SUCCESS;
			break;
		default:
			status = STATUS_NOT_SUPPORTED;
		}
	}
	if (status < 0 || status == STATUS_SUCCESS) {
		Irp->Status = status;
		Irp->Information = 0;
		complete_request(Irp);
		return status;
	}
	skip_stack(Irp);
	return call_lower(ext->Lower, Irp);
}

int main(void)
{
	EXTENSION ext;
	DEVICE_OBJECT device, lower;
	IRP irp;
	NTSTATUS status;

	ext.Started = __VERIFIER_nondet_int();
	ext.Removed = 0;
	ext.Enabled = 0;
	ext.Pending = __VERIFIER_nondet_long();
	ext.PowerState = 1;
	ext.Lower = &lower;
	device.DeviceExtension = &ext;
	irp.Status = 0;
	irp.CurrentLocation = 2;
	irp.Stack[2].MinorFunction = (UCHAR)__VERIFIER_nondet_int();
	irp.Stack[2].Code = (ULONG)__VERIFIER_nondet_long();
	TheIrp = &irp;
	init_state();
	switch (__VERIFIER_nondet_int()) {
	case 0:
		status = Filter_PnP(&device, TheIrp);
		break;
	case 1:
		status = Filter_Power(&device, TheIrp);
		break;
	case 2:
		status = Filter_Control(&device, TheIrp);
		break;
	default:
		return -1;
	}
	if (s == PASSED_ON || s == SENT) {
		if (status != lowerStatus)
			errorFn();
	} else if (s == COMPLETED) {
		if (status == STATUS_PENDING)
			errorFn();
	} else if (s != FRESH)
		errorFn();
	return (int)status;
}
