namespace Cluster.Testing.Glue;

/// <summary>One requested fault: the frames that it affects and its effect on them. The lock of its link protects
/// it.</summary>
/// <param name="action">The effect.</param>
/// <param name="direction">Null: both.</param>
/// <param name="at">The only frame that it affects, counted from 1; zero: any.</param>
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
