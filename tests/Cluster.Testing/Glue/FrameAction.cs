namespace Cluster.Testing.Glue;

/// <summary>The effect of a fault on a frame.</summary>
internal enum FrameAction
{
    CutBefore,
    CutAfter,
    Repeat,
    Drop,
    Corrupt,
    Delay,
    Throttle,
}
