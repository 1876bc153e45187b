using System.Collections;
using Cluster.Slim.Layouts;

namespace Cluster.Slim.Codecs;

/// <summary>The order of objects without the case of text: the invariant one, or that of a culture.</summary>
internal readonly struct CaseInsensitiveComparerCodec : ILeafCodec<CaseInsensitiveComparer>
{
    private const byte Invariant = 1;
    private const byte OfCulture = 2;

    public static void Describe(StepList steps) => steps.Bytes(1).Text();

    public static void Write(SlimWriter writer, CaseInsensitiveComparer value)
    {
        byte code = CodeOf(value);
        writer.WriteByte(code);
        writer.WriteString(code == OfCulture ? HiddenSettings.CompareInfoOf(value)!.Name : null);
    }

    public static CaseInsensitiveComparer Read(SlimReader reader)
    {
        byte code = reader.ReadByte();
        if (code == OfCulture)
            return new CaseInsensitiveComparer(CultureCodec.Read(reader));
        if (code > OfCulture || reader.ReadString() is not null || code == 0)
            Throw.Malformed("A comparer of objects is unknown.");
        return CaseInsensitiveComparer.DefaultInvariant;
    }

    private static byte CodeOf(CaseInsensitiveComparer value) =>
        ReferenceEquals(value, CaseInsensitiveComparer.DefaultInvariant) ? Invariant : OfCulture;
}
