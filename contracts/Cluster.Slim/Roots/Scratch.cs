using Cluster.Slim.Messages;

namespace Cluster.Slim.Roots;

/// <summary>Keeps one idle writer and one idle reader per thread, so that a call allocates nothing. They are reset
/// before they are kept and hold no references, not even to a serializer, whose types may have to be unloaded. A nested
/// call on the same thread finds them rented and creates its own.</summary>
internal static class Scratch
{
    [ThreadStatic]
    private static SlimWriter? _writer;

    [ThreadStatic]
    private static SlimReader? _reader;

    /// <summary>The reader of this thread, to see the cost of its last message; null before the first one.</summary>
    public static SlimReader? IdleReader => _reader;

    public static SlimWriter RentWriter()
    {
        var writer = _writer ??= new SlimWriter();
        if (writer.IsRented)
            return new SlimWriter();
        writer.IsRented = true;
        return writer;
    }

    public static SlimReader RentReader()
    {
        var reader = _reader ??= new SlimReader();
        if (reader.IsRented)
            return new SlimReader();
        reader.IsRented = true;
        return reader;
    }

    public static void Return(SlimWriter writer)
    {
        writer.Reset();
        writer.IsRented = false;
    }

    public static void Return(SlimReader reader)
    {
        reader.Reset();
        reader.IsRented = false;
    }
}
