namespace Cluster.Testing.Glue;

/// <summary>One fault that was asked for: which frames it hits and what it does to them. Guarded by its link's
/// lock.</summary>
/// <param name="action">What it does.</param>
/// <param name="direction">Null: both.</param>
/// <param name="at">Hits this frame and no other, counted from 1; zero: any.</param>
internal sealed class FrameFault(FrameAction action, FrameDirection? direction, int at = 0)
{
    private int _seen;

    public FrameAction Action { get; } = action;

    public double Probability { get; init; } = 1;

    public TimeSpan Time { get; init; }

    public long BytesPerSecond { get; init; }

    public bool Applies(FrameDirection frame, Random random)
    {
        if (direction is { } asked && asked != frame)
            return false;
        if (at > 0 && ++_seen != at)
            return false;
        return Probability >= 1 || random.NextDouble() < Probability;
    }
}
