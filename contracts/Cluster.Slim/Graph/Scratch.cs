namespace Cluster.Slim.Graph;

/// <summary>
/// Keeps one idle writer and one idle reader per thread, so that a call allocates nothing. They are reset before they
/// are kept and hold no references; a nested call on the same thread finds the place empty and makes its own.
/// </summary>
internal static class Scratch
{
    [ThreadStatic]
    private static SlimWriter? _writer;

    [ThreadStatic]
    private static SlimReader? _reader;

    internal static SlimWriter RentWriter()
    {
        SlimWriter? writer = _writer;
        _writer = null;
        return writer ?? new SlimWriter();
    }

    internal static SlimReader RentReader()
    {
        SlimReader? reader = _reader;
        _reader = null;
        return reader ?? new SlimReader();
    }

    internal static void Return(SlimWriter writer)
    {
        writer.Reset();
        _writer = writer;
    }

    internal static void Return(SlimReader reader)
    {
        reader.Reset();
        _reader = reader;
    }
}
