using Cluster.Slim.Graph;
using Cluster.Slim.Messages;

namespace Cluster.Slim.Roots;

/// <summary>Finds the member at which a refused message failed, by reading it again with a trace.</summary>
internal static class MemberPaths
{
    // Any peer can send bytes that are refused, so the second read must be cheap. The error of a larger message has
    // only its offset.
    private const int MaxMessageBytes = 256 * 1024;

    /// <summary>Repeats a failed read. Returns null when the path is not found.</summary>
    /// <param name="engine">The engine of the read.</param>
    /// <param name="types">A fresh table, or that of the session, whose header was read.</param>
    /// <param name="message">The message; of a session, without the bytes before the roots.</param>
    /// <param name="roots">The roots in order; the last one is the one that failed.</param>
    /// <param name="imports">The source of the host's objects.</param>
    public static unsafe string? Find(
        SlimEngine engine,
        ReaderTypes types,
        ReadOnlySpan<byte> message,
        ReadOnlySpan<Root> roots,
        HostImports? imports = null)
    {
        if (message.Length > MaxMessageBytes || roots.IsEmpty)
            return null;
        SlimReader reader = new(types) { Imports = imports };
        reader.Begin(engine);
        try
        {
            fixed (byte* start = message)
            {
                reader.Start(start, message.Length, 0);
                if (!types.IsSession)
                    MessageHeader.Read(reader);
                foreach (var root in roots)
                {
                    reader.Trace = new MemberTrace(root.Allowed.Root.Name);
                    RootReader.ReadObject(reader, root);
                }
            }
        }
        catch (Exception e) when (SlimEngine.IsWrapped(e))
        {
            // Unless the exception has its own path, the trace shows where the read stopped.
            return (e as SlimException)?.MemberPath ?? reader.Trace?.ToString();
        }

        return null;
    }
}
