using Cluster.Slim.Errors;
using Cluster.Slim.Messages;

namespace Cluster.Slim.Codecs.Callbacks;

/// <summary>Runs the part of a user's codec that reads, and turns its errors into exceptions of Slim.</summary>
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

    /// <summary>Foresees the memory for which a codec charges when it reads the bytes that it has written since
    /// <paramref name="start"/>.</summary>
    public static void Foresee(SlimWriter writer, long start) =>
        writer.Doubts.Charge((writer.BytesWritten - start) * ForeseenBytesPerByte);
}
