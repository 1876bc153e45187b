namespace Cluster.Testing.Glue;

/// <summary>The combined effect of all faults on one frame. Immutable.</summary>
internal readonly record struct FramePlan
{
    public bool CutsBefore { get; init; }

    public bool CutsAfter { get; init; }

    public bool Repeats { get; init; }

    public bool Drops { get; init; }

    /// <summary>The bit to flip, counted from 1; zero: none.</summary>
    public int FlippedBit { get; init; }

    public TimeSpan Delay { get; init; }

    public FramePlan With(FrameFault fault, int bytes, Random random) => fault.Action switch
    {
        FrameAction.CutBefore => this with { CutsBefore = true },
        FrameAction.CutAfter => this with { CutsAfter = true },
        FrameAction.Repeat => this with { Repeats = true },
        FrameAction.Drop => this with { Drops = true },
        FrameAction.Corrupt => this with { FlippedBit = bytes == 0 ? 0 : 1 + random.Next(8 * bytes) },
        FrameAction.Delay => this with { Delay = Delay + fault.Time },
        _ => this with { Delay = Delay + TimeSpan.FromSeconds((double)bytes / fault.BytesPerSecond) },
    };
}
