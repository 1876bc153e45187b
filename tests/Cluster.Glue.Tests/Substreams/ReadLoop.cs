using Cluster.Glue.Sessions;

namespace Cluster.Glue.Tests.Substreams;

/// <summary>Finds out where a service runs.</summary>
internal static class ReadLoop
{
    /// <summary>Whether this is the read loop of a substream: looks for it on the stack.</summary>
    public static bool IsHere =>
        new StackTrace().GetFrames().Any(frame => frame.GetMethod()?.DeclaringType == typeof(SubstreamServing));
}
