// SPDX-License-Identifier: GPL-2.0-only
/*
 * Designs with one half, whose stream comes from a source or goes into a sink (regs/stream_*.rdl).
 *
 *   axm_test DEVICE source FILE OFFSET   streams without ends, over several opens; then packets
 *   axm_test DEVICE pause FILE OFFSET    a stream without ends goes on after the machine has slept
 *   axm_test DEVICE sink FILE OFFSET     packets of all lengths, over several opens
 *
 * FILE, OFFSET: of the registers, to be mapped. The words of the stream are a function of their place.
 */
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "generated/stream_sink.h"
#include "generated/stream_source.h"
#include "test.h"

#define WINDOW 4096
#define BLOCKS 4 /* identification, counter, engine, stream */
#define SEED 0xc35aa500u
#define BEAT 8

static volatile uint32_t *regs;

static uint32_t get(uint32_t offset)
{
	return regs[offset / 4];
}

static void set(uint32_t offset, uint32_t value)
{
	regs[offset / 4] = value;
}

static void map_block(const char *file, off_t offset, uint32_t type)
{
	int fd = open(file, O_RDWR | O_SYNC);

	CHECK(fd >= 0);
	regs = mmap(NULL, BLOCKS * WINDOW, PROT_READ | PROT_WRITE, MAP_SHARED, fd, offset);
	CHECK(regs != MAP_FAILED);
	regs += (BLOCKS - 1) * WINDOW / 4;
	CHECK((*regs & 0xffff) == type);
}

static uint32_t word_at(uint32_t place)
{
	return place ^ place << 8 ^ place << 16 ^ place << 24 ^ SEED;
}

static uint32_t place_of(uint32_t word)
{
	return (word ^ SEED) ^ (word ^ SEED) << 8;
}

/* Reads once; the place of its first word. */
static uint32_t read_words(int fd, uint32_t bytes)
{
	struct pollfd p = { fd, POLLIN, 0 };
	static uint32_t in[MOST / 4];
	uint32_t i, first;

	CHECK(poll(&p, 1, 20000) == 1 && p.revents == POLLIN);
	CHECK(read(fd, in, MOST) == bytes);
	first = place_of(in[0]);
	for (i = 0; i < bytes / 4; i++)
		CHECK(in[i] == word_at(first + i));
	packets_moved++;
	bytes_moved += bytes;
	return first;
}

static void source_sends(uint32_t packet_bytes)
{
	set(AXM_STREAM_SOURCE_PACKET_BYTES, packet_bytes);
	set(AXM_STREAM_SOURCE_CTRL, AXM_STREAM_SOURCE_CTRL__ENABLE_MASK);
}

/* While somebody takes its last beats. */
static void source_rests(void)
{
	int fd = open_channel(O_RDONLY), tries;

	set(AXM_STREAM_SOURCE_CTRL, 0);
	for (tries = 0; get(AXM_STREAM_SOURCE_STATUS) && tries < 1000; tries++)
		usleep(1000);
	CHECK(!get(AXM_STREAM_SOURCE_STATUS));
	close(fd);
}

static uint64_t discarded(int fd)
{
	struct axm_stats stats;

	CHECK(!ioctl(fd, AXM_IOC_STATS, &stats));
	return stats.discarded;
}

/* Each reader gets the stream from where it opens, in one piece. */
static void endless(void)
{
	uint32_t next = 0, opens, reads;

	source_sends(0);
	for (opens = 0; opens < 4; opens++) {
		int fd = open_channel(O_RDONLY);

		for (reads = 0; reads < 20; reads++) {
			uint32_t first = read_words(fd, MOST);

			CHECK(reads ? first == next : first >= next);
			next = first + MOST / 4;
		}
		CHECK(discarded(fd) == 0);
		close(fd);
	}
	source_rests();
}

/* Once a packet has ended each reader begins with the first byte of one. */
static void in_packets(uint32_t packet_bytes)
{
	uint32_t words = (packet_bytes + BEAT - 1) / BEAT * BEAT / 4, opens, reads;

	source_sends(packet_bytes);
	for (opens = 0; opens < 8; opens++) {
		int fd = open_channel(O_RDONLY);

		for (reads = 0; reads < 20; reads++) {
			uint32_t left = packet_bytes, piece, at = 0;

			for (; left; left -= piece, at += piece / 4) {
				piece = left < MOST ? left : MOST;
				CHECK(read_words(fd, piece) % words == at);
			}
		}
		close(fd);
	}
	source_rests();
}

static void source(void)
{
	REFUSED(open(path, O_RDWR), ENXIO);
	REFUSED(open(path, O_WRONLY), ENXIO);
	endless();
	in_packets(512); /* the engine has taken most of it before memory answers */
	in_packets(4096);
	in_packets(4999);
	in_packets(70000);
}

static void sleep_once(void)
{
	say("/sys/module/suspend/parameters/pm_test_delay", "0");
	say("/sys/power/pm_test", "devices");
	say("/sys/power/state", "freeze");
}

static void after_sleep(void)
{
	int fd = open_channel(O_RDONLY), reads;
	uint32_t next = 0;

	source_sends(0);
	for (reads = 0; reads < 60; reads++) {
		uint32_t first;

		if (reads == 5)
			sleep_once();
		first = read_words(fd, MOST);
		CHECK(reads > 5 ? first >= next : first == next); /* what was under way may be lost */
		next = first + MOST / 4;
	}
	CHECK(discarded(fd) == 0);
	close(fd);
	source_rests();
}

/* Closing a channel gives up what does not go on within 50 ms. */
static void all_sent(int fd, uint64_t packets)
{
	struct pollfd p = { fd, POLLOUT, 0 };
	struct axm_stats stats;
	int tries;

	for (tries = 0; tries < 10000; tries++) {
		CHECK(poll(&p, 1, 0) >= 0 && !ioctl(fd, AXM_IOC_STATS, &stats));
		if (stats.sent_packets == packets)
			return;
		usleep(1000);
	}
	CHECK(!"all packets are sent");
}

static void sink(void)
{
	static unsigned char out[MOST];
	uint32_t place = 0, packets = 0, bytes = 0, opens, n, i;
	uint64_t seed = 1;

	REFUSED(open(path, O_RDWR), ENXIO);
	REFUSED(open(path, O_RDONLY), ENXIO);
	set(AXM_STREAM_SINK_CTRL, AXM_STREAM_SINK_CTRL__ENABLE_MASK | AXM_STREAM_SINK_CTRL__CHECK_MASK |
	    AXM_STREAM_SINK_CTRL__CLEAR_MASK);
	for (opens = 0; opens < 4; opens++) {
		int fd = open_channel(O_WRONLY);

		for (n = 0; n < 40; n++) {
			uint32_t size = draw_size(&seed);

			for (i = 0; i < size; i++)
				out[i] = word_at(place + i / 4) >> i % 4 * 8;
			CHECK(write(fd, out, size) == (ssize_t)size);
			place += (size + BEAT - 1) / BEAT * BEAT / 4;
			packets += size != 0;
			bytes += size;
		}
		all_sent(fd, packets);
		close(fd);
	}
	for (n = 0; get(AXM_STREAM_SINK_PACKETS) != packets && n < 1000; n++)
		usleep(1000);
	CHECK(get(AXM_STREAM_SINK_PACKETS) == packets && get(AXM_STREAM_SINK_BYTES_LO) == bytes);
	CHECK(get(AXM_STREAM_SINK_ERRORS) == 0);
	packets_moved = packets;
	bytes_moved = bytes;
}

int stream_mode(const char *mode, int argc, char **argv)
{
	int sinks = !strcmp(mode, "sink"), pauses = !strcmp(mode, "pause");

	if (!sinks && !pauses && strcmp(mode, "source"))
		return 0;
	CHECK(argc == 5);
	map_block(argv[3], strtoul(argv[4], NULL, 0),
		  sinks ? AXM_STREAM_SINK_BLOCK_TYPE : AXM_STREAM_SOURCE_BLOCK_TYPE);
	if (sinks)
		sink();
	else if (pauses)
		after_sleep();
	else
		source();
	return 1;
}
