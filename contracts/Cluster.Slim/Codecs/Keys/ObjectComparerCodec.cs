using System.Collections;
using Cluster.Slim.Layouts;

namespace Cluster.Slim.Codecs;

/// <summary>The order of objects: the default one, the invariant one, or that of a culture with its name.</summary>
internal readonly struct ObjectComparerCodec : ILeafCodec<Comparer>
{
    private const byte Default = 0;
    private const byte Invariant = 1;
    private const byte OfCulture = 2;

    public static void Describe(StepList steps) => steps.Bytes(1).Text();

    public static void Write(SlimWriter writer, Comparer value)
    {
        byte code = CodeOf(value);
        writer.WriteByte(code);
        writer.WriteString(code == OfCulture ? HiddenSettings.CompareInfoOf(value)!.Name : null);
    }

    public static Comparer Read(SlimReader reader)
    {
        byte code = reader.ReadByte();
        if (code == OfCulture)
            return new Comparer(CultureCodec.Read(reader));
        if (code > OfCulture || reader.ReadString() is not null)
            Throw.Malformed("A comparer of objects is unknown.");
        return code == Default ? Comparer.Default : Comparer.DefaultInvariant;
    }

    private static byte CodeOf(Comparer value)
    {
        if (ReferenceEquals(value, Comparer.Default))
            return Default;
        return ReferenceEquals(value, Comparer.DefaultInvariant) ? Invariant : OfCulture;
    }
}
