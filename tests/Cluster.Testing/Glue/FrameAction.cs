namespace Cluster.Testing.Glue;

/// <summary>What a fault does to a frame.</summary>
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
