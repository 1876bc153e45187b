using Cluster.Slim.Errors;

namespace Cluster.Slim.Layouts;

/// <summary>The constants of the format that say how an object place begins, and the depths it guarantees.</summary>
internal static class ObjectTags
{
    public const byte Null = 0;
    public const byte NewExact = 1;
    public const byte NewTyped = 2;
    public const uint ReferenceFirst = 3;

    /// <summary>Bodies of objects deeper than this are written after the ones that wait before them. Values on the way
    /// to an object count like objects, because both recurse.</summary>
    public const int DepthMax = 96;

    /// <summary>Objects without a body (immutable collections) cannot wait; deeper ones are refused.</summary>
    public const int HeadDepthMax = 160;

    /// <summary>The first type code that means an entry of the type table.</summary>
    public const uint TypeTableFirst = 64;

    public const byte HeaderVersion = 0xB1;
    public const byte FlagKnown = 0x01;
    public const byte FlagInProcess = 0x02;
    public const byte FlagSession = 0x04;

    [DoesNotReturn]
    public static void ThrowTooDeep(
        Type type, [CallerFilePath] string file = "", [CallerLineNumber] int line = 0) => Throw.FormatLimit(
        "Nesting",
        $"{type} is nested {HeadDepthMax} levels deep: immutable collections cannot go deeper.",
        file,
        line);
}
