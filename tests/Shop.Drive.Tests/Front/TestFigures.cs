using Shop.Drive.Front;

namespace Shop.Drive.Tests.Front;

/// <summary>Figures as a real run could produce them.</summary>
internal static class TestFigures
{
    public static ShopFigures Two { get; } = new()
    {
        Phase = "load",
        Seconds = 4.2,
        Nodes =
        [
            new NodeFigures("n1", 11, "http://127.0.0.1:5101", "active", 2, 5_000, 1 << 20, 1 << 30, 2.5),
            new NodeFigures("n2", 12, "", NodeFigures.StateEnded, 0, 0, 0, 0, 0),
        ],
        PartitionOwners = [0, 0, -1, 1],
        CallsPerSecond = 21_000,
        P50Ms = 1.5,
        P99Ms = 9,
        Calls = 80_000,
        Errors = 0,
        Unavailable = 7,
        Sessions = 5_000,
        SessionsLost = 12,
        PileBytes = 1 << 20,
        GcPauseMaxMs = 2.5,
        Killed = 1,
        Events = ["n2 is dead: its port refuses"],
    };
}
