/* Driver task: a USB driver with a generated environment that calls it in any order; ldv-style models of the kernel. */
typedef unsigned int gfp_t;
typedef unsigned long size_t;
typedef unsigned short u16;
typedef unsigned char u8;

struct list_head { struct list_head *next, *prev; };
struct mutex { int count; };
struct device { void *driver_data; struct device *parent; };
struct urb { void *transfer_buffer; int status; int actual_length; struct list_head list; void *context; };
struct usb_interface { struct device dev; int minor; };
struct usb_device_id { u16 vendor, product; unsigned long driver_info; };
struct gadget { struct usb_interface *intf; struct mutex lock; struct urb *urb; u8 *buffer; int open_count; int present; };
struct usb_driver {
	const char *name;
	int (*probe)(struct usb_interface *intf, const struct usb_device_id *id);
	void (*disconnect)(struct usb_interface *intf);
	int (*suspend)(struct usb_interface *intf);
	int (*resume)(struct usb_interface *intf);
};

extern int __VERIFIER_nondet_int(void);
extern void *__VERIFIER_nondet_pointer(void);
extern void *malloc(size_t);
extern void free(void *);
extern void abort(void);
void reach_error(void) { }

void ldv_error(void)
{
ERROR:
	reach_error();
	abort();
}

#define ldv_assert(x) do { if (!(x)) ldv_error(); } while (0)

static void assume_abort_if_not(int cond)
{
	if (!cond)
		abort();
}

int ldv_urb_count = 0;
int ldv_mutex_gadget = 1;
int ldv_coherent = 0;

void *ldv_malloc(size_t size)
{
	if (__VERIFIER_nondet_int()) {
		void *p = malloc(size);
		assume_abort_if_not(p != (void *)0);
		return p;
	}
	return (void *)0;
}

int ldv_is_err(const void *ptr)
{
	return (unsigned long)ptr > 2012UL * 1000000UL;
}

void ldv_mutex_lock(struct mutex *lock)
{
	ldv_assert(ldv_mutex_gadget == 1);
	ldv_mutex_gadget = 2;
}

void ldv_mutex_unlock(struct mutex *lock)
{
	ldv_assert(ldv_mutex_gadget == 2);
	ldv_mutex_gadget = 1;
}

int ldv_mutex_trylock(struct mutex *lock)
{
	ldv_assert(ldv_mutex_gadget == 1);
	if (__VERIFIER_nondet_int()) {
		ldv_mutex_gadget = 2;
		return 1;
	}
	return 0;
}

struct urb *usb_alloc_urb(int packets, gfp_t flags)
{
	struct urb *u = (struct urb *)ldv_malloc(sizeof(struct urb));

	if (u)
		ldv_urb_count++;
	return u;
}

void usb_free_urb(struct urb *u)
{
	if (u) {
		ldv_assert(ldv_urb_count >= 1);
		ldv_urb_count--;
		free(u);
	}
}

static void *get_drvdata(struct usb_interface *intf) { return intf->dev.driver_data; }
static void set_drvdata(struct usb_interface *intf, void *data) { intf->dev.driver_data = data; }

static int gadget_probe(struct usb_interface *intf, const struct usb_device_id *id)
{
	struct gadget *g;
	int retval = -12;

	g = (struct gadget *)ldv_malloc(sizeof(*g));
	if (g == (void *)0)
		goto error;
	g->intf = intf;
	g->open_count = 0;
	g->urb = usb_alloc_urb(0, 208U);
	if (!g->urb)
		goto error_free;
	g->buffer = (u8 *)ldv_malloc(64);
	if (!g->buffer)
		goto error_urb;
	g->present = 1;
	set_drvdata(intf, g);
	return 0;
error_urb:
	usb_free_urb(g->urb);
error_free:
	free(g);
error:
	return retval;
}

static void gadget_disconnect(struct usb_interface *intf)
{
	struct gadget *g = (struct gadget *)get_drvdata(intf);

	set_drvdata(intf, (void *)0);
	ldv_mutex_lock(&g->lock);
	g->present = 0;
	ldv_mutex_unlock(&g->lock);
	usb_free_urb(g->urb);
	free(g->buffer);
	free(g);
}

static int gadget_open(struct usb_interface *intf)
{
	struct gadget *g = get_drvdata(intf);
	int retval = 0;

	if (!g)
		return -19;
	ldv_mutex_lock(&g->lock);
	if (!g->present) {
		retval = -19;
		goto out;
	}
	if (g->open_count > 0) {
		retval = -16;
		goto out;
	}
	++g->open_count;
out:
	ldv_mutex_unlock(&g->lock);
	return retval;
}

static int gadget_release(struct usb_interface *intf)
{
	struct gadget *g = get_drvdata(intf);

	if (!g)
		return -19;
	if (!ldv_mutex_trylock(&g->lock))
		return -512;
	if (g->open_count > 0)
		--g->open_count;
	ldv_mutex_unlock(&g->lock);
	return 0;
}

static long gadget_ioctl(struct usb_interface *intf, unsigned int cmd, unsigned long arg)
{
	struct gadget *g = get_drvdata(intf);
	long ret = 0;

	if (!g || !g->present)
		return -19;
	ldv_mutex_lock(&g->lock);
	switch (cmd) {
	case 0x4701:
		if (arg >= 64) {
			ret = -22;
			break;
		}
		g->buffer[arg] = 0;
		break;
	case 0x4702:
		ret = g->open_count;
		break;
	case 0x4703:
		/* On purpose: the lock is not given back. */
		return -25;
	default:
		ret = -25;
	}
	ldv_mutex_unlock(&g->lock);
	return ret;
}

static int gadget_suspend(struct usb_interface *intf) { return 0; }
static int gadget_resume(struct usb_interface *intf) { return 0; }

static struct usb_driver gadget_driver = {
	.name = "gadget",
	.probe = gadget_probe,
	.disconnect = gadget_disconnect,
	.suspend = gadget_suspend,
	.resume = gadget_resume,
};

int ldv_state_variable;

void ldv_check_final_state(void)
{
	ldv_assert(ldv_urb_count == 0);
	ldv_assert(ldv_mutex_gadget == 1);
}

int main(void)
{
	struct usb_interface intf;
	struct usb_device_id id;
	int tmp, ldv_retval;

	intf.dev.driver_data = (void *)0;
	ldv_state_variable = 0;
	while (1) {
		tmp = __VERIFIER_nondet_int();
		switch (tmp) {
		case 0:
			if (ldv_state_variable == 0) {
				ldv_retval = gadget_driver.probe(&intf, &id);
				if (ldv_retval == 0)
					ldv_state_variable = 1;
			}
			break;
		case 1:
			if (ldv_state_variable == 1 && gadget_open(&intf) == 0)
				ldv_state_variable = 2;
			break;
		case 2:
			if (ldv_state_variable == 2)
				gadget_ioctl(&intf, (unsigned int)__VERIFIER_nondet_int(), (unsigned long)__VERIFIER_nondet_int());
			break;
		case 3:
			if (ldv_state_variable == 2 && gadget_release(&intf) == 0)
				ldv_state_variable = 1;
			break;
		case 4:
			if (ldv_state_variable == 1) {
				gadget_driver.disconnect(&intf);
				ldv_state_variable = 0;
				goto ldv_final;
			}
			break;
		case 5:
			if (ldv_state_variable == 0)
				goto ldv_final;
			break;
		default:
			break;
		}
	}
ldv_final:
	ldv_check_final_state();
	return 0;
}
