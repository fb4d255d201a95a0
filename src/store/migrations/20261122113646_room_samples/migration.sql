CREATE TABLE `room_sample` (
	`at` integer PRIMARY KEY,
	`room_bytes` integer NOT NULL
);
