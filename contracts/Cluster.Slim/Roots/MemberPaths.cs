using Cluster.Slim.Graph;
using Cluster.Slim.Messages;

namespace Cluster.Slim.Roots;

/// <summary>Finds the member in which a refused message went wrong, by reading it once more with a trace.</summary>
internal static class MemberPaths
{
    // Anybody can send bytes that are refused: reading them again must stay cheap. Bigger ones have their offset.
    private const int MaxMessageBytes = 256 * 1024;

    /// <summary>Repeats a read that failed; returns null when the path cannot be told.</summary>
    /// <param name="engine">The engine of the read.</param>
    /// <param name="types">A fresh table, or that of the session, whose header was read.</param>
    /// <param name="message">The message; a session's without what stands before the roots.</param>
    /// <param name="roots">The roots in order; the last one is the one that failed.</param>
    /// <param name="imports">Where the read got objects of its host from.</param>
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
            // Unless it knows better, the trace stands where the read stopped.
            return (e as SlimException)?.MemberPath ?? reader.Trace?.ToString();
        }

        return null;
    }
}
