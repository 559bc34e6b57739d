/* K&R style: an altitude avoidance program that takes its state from twelve arguments and prints an advisory. */
#include <stdio.h>

#define TOO_OLD 8
#define NEAR_MISS 300
#define MIN_CLIMB 200
#define LEVELS 4

typedef int bool;
#define YES 1
#define NO 0
#define NOTHING 0
#define GO_UP 1
#define GO_DOWN 2

int Altitude, Track_Rate, Other_Altitude, Other_Rate, Age, Level;
int Room_Above, Room_Below, Other_Sense, Other_Equipped, Climb_Blocked, High_Confidence;
int Thresholds[LEVELS];

extern int atoi();

setup()
{
	int i;

	for (i = 0; i < LEVELS; i++)
		Thresholds[i] = 350 + 100 * i + (i == 0 ? 50 : 0);
}

int threshold()
{
	if (Level < 0)
		return Thresholds[0];
	if (Level >= LEVELS)
		return Thresholds[LEVELS - 1];
	return Thresholds[Level];
}

int clip(v, low, high)
int v, low, high;
{
	return v < low ? low : v > high ? high : v;
}

/* The vertical distance in half a minute, if we changed our rate by so much. */
int distance_after(change)
int change;
{
	int rate = clip(Track_Rate + change, -3000, 3000);
	int mine = Altitude + rate / 2;
	int other = Other_Altitude + Other_Rate / 2;

	return mine > other ? mine - other : other - mine;
}

bool crosses(change)
int change;
{
	bool above_now, above_then;

	above_now = Altitude > Other_Altitude;
	above_then = Altitude + (Track_Rate + change) / 2 > Other_Altitude + Other_Rate / 2;
	return above_now != above_then;
}

bool possible(sense)
register int sense;
{
	if (sense == Other_Sense && Other_Equipped)
		return NO;
	if (sense == GO_UP)
		return !Climb_Blocked && Room_Above >= MIN_CLIMB;
	return Room_Below >= MIN_CLIMB;
}

bool is_threat()
{
	int now = Altitude - Other_Altitude;

	if (now < 0)
		now = -now;
	if (now < NEAR_MISS)
		return YES;
	return distance_after(0) < threshold() || crosses(0);
}

int decide()
{
	int up_distance, down_distance;

	if (!High_Confidence && Age >= TOO_OLD)
		return NOTHING;
	if (!is_threat())
		return NOTHING;
	up_distance = possible(GO_UP) ? distance_after(1500) : -1;
	down_distance = possible(GO_DOWN) ? distance_after(-1500) : -1;
	if (up_distance < 0 && down_distance < 0)
		goto silent;
	if (up_distance >= threshold() && !crosses(1500))
		return GO_UP;
	if (down_distance >= threshold() && !crosses(-1500))
		return GO_DOWN;
	if (up_distance == down_distance)
		return Altitude >= Other_Altitude ? GO_UP : GO_DOWN;
	return up_distance > down_distance ? GO_UP : GO_DOWN;
silent:
	return NOTHING;
}

main(argc, argv)
int argc;
char *argv[];
{
	if (argc < 13) {
		fprintf(stdout, "twelve numbers are needed\n");
		exit(1);
	}
	setup();
	Altitude = atoi(argv[1]);
	Track_Rate = atoi(argv[2]);
	Other_Altitude = atoi(argv[3]);
	Other_Rate = atoi(argv[4]);
	Age = atoi(argv[5]);
	Level = atoi(argv[6]);
	Room_Above = atoi(argv[7]);
	Room_Below = atoi(argv[8]);
	Other_Sense = atoi(argv[9]);
	Other_Equipped = atoi(argv[10]);
	Climb_Blocked = atoi(argv[11]);
	High_Confidence = atoi(argv[12]);
	fprintf(stdout, "%d\n", decide());
	exit(0);
}
