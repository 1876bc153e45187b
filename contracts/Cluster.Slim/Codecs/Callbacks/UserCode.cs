using Cluster.Slim.Errors;
using Cluster.Slim.Messages;

namespace Cluster.Slim.Codecs.Callbacks;

/// <summary>Runs a reading part of a user's codec so that its failures become exceptions of ours.</summary>
internal static class UserCode
{
    private const int ForeseenBytesPerByte = 64;

    public static TResult Run<TState, TResult>(
        TState state, SlimReader reader, Func<TState, SlimReader, TResult> read)
    {
        try
        {
            return read(state, reader);
        }
        catch (Exception e) when (e is not SlimException and not OutOfMemoryException)
        {
            throw Throw.Failed("A codec failed on the value it was given.", e);
        }
    }

    /// <summary>Foresees what a codec charges for when it reads what it has written since the position.</summary>
    public static void Foresee(SlimWriter writer, long start) =>
        writer.Doubts.Charge((writer.BytesWritten - start) * ForeseenBytesPerByte);
}
