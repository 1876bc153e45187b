using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;

namespace Cluster.Slim.Graph;

/// <summary>The constants of the format that say how an object place begins, and the depths it guarantees.</summary>
internal static class Heads
{
    internal const byte Null = 0;
    internal const byte NewExact = 1;
    internal const byte NewTyped = 2;
    internal const uint ReferenceFirst = 3;

    /// <summary>Bodies of objects deeper than this are written after the ones that wait before them. Values on the way
    /// to an object count like objects, because both recurse.</summary>
    internal const int DepthMax = 96;

    /// <summary>Objects without a body (immutable collections) cannot wait; deeper ones are refused.</summary>
    internal const int HeadDepthMax = 160;

    /// <summary>The first type code that means an entry of the type table.</summary>
    internal const uint TypeTableFirst = 64;

    internal const byte HeaderVersion = 0xB1;
    internal const byte FlagKnown = 0x01;
    internal const byte FlagInProcess = 0x02;
    internal const byte FlagSession = 0x04;

    [DoesNotReturn]
    internal static void ThrowTooDeep(
        Type type, [CallerFilePath] string file = "", [CallerLineNumber] int line = 0) => Throw.FormatLimit(
        "Nesting",
        $"{type} is nested {HeadDepthMax} levels deep: immutable collections cannot go deeper.",
        file,
        line);
}
