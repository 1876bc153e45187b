using Cluster.Slim.Types;

namespace Cluster.Slim.Graph;

/// <summary>
/// Shows that a reader can build the immutable collections of a message: by reading it. Only where
/// <see cref="KeyReach"/> cannot exclude that a key depends on an object that the reader completes later, because no
/// declaration tells what a user's hash function looks at.
/// </summary>
internal static class KeyProof
{
    /// <summary>Throws what a reader would throw, with the path of the collection.</summary>
    internal static unsafe void Run(SlimEngine engine, Root root, object? value)
    {
        SlimWriter writer = new();
        writer.StartStandalone(engine, null);
        KeyReach.Suspend(writer);
        writer.WriteRootObject(root, value);
        ReaderTypes types = new(isSession: false);
        SlimReader reader = new(types) { Trace = new MemberTrace(root.Allowed.Root.Name) };
        reader.Begin(engine);
        try
        {
            fixed (byte* start = writer.Written)
            {
                reader.Start(start, writer.Written.Length, 0);
                reader.ReadHeader(engine.Rules);
                reader.ReadRootObject(root);
            }
        }
        catch (SlimLimitException)
        {
            // What a peer may spend on the message is for the peer to say.
        }
        catch (SlimMalformedException e)
        {
            SlimTypeNotSupportedException error =
                Throw.NotSupported(root.Allowed.Root, $"a reader cannot build it: {e.Message}");
            error.MemberPath = e.MemberPath ?? reader.Trace?.ToString();
            throw error;
        }
    }
}
