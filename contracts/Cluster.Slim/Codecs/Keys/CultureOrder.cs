using Cluster.Slim.Codecs.Cultures;
using Cluster.Slim.Errors;
using Cluster.Slim.Messages;

namespace Cluster.Slim.Codecs.Keys;

/// <summary>Orders of objects, of which each kind has one by default, an invariant one, and one of each culture: a
/// code, then the name of the culture. Stateless.</summary>
internal static class CultureOrder
{
    private const byte Default = 0;
    private const byte Invariant = 1;
    private const byte OfCulture = 2;

    /// <summary>Writes the order.</summary>
    /// <param name="writer">The target.</param>
    /// <param name="value">The order.</param>
    /// <param name="ofDefault">The default one; null if the kind has none.</param>
    /// <param name="invariant">The invariant one.</param>
    /// <param name="cultureOf">Tells the culture of another one.</param>
    public static void Write<T>(
        SlimWriter writer, T value, T? ofDefault, T invariant, Func<T, CompareInfo?> cultureOf)
        where T : class
    {
        var code = ReferenceEquals(value, ofDefault) ? Default
            : ReferenceEquals(value, invariant) ? Invariant
            : OfCulture;
        writer.WriteByte(code);
        writer.WriteString(code == OfCulture ? cultureOf(value)!.Name : null);
    }

    /// <summary>Reads what <see cref="Write"/> wrote.</summary>
    /// <param name="reader">The source.</param>
    /// <param name="ofDefault">The default one; null if the kind has none.</param>
    /// <param name="invariant">The invariant one.</param>
    /// <param name="ofCulture">Makes that of a culture.</param>
    public static T Read<T>(SlimReader reader, T? ofDefault, T invariant, Func<CultureInfo, T> ofCulture)
        where T : class
    {
        var code = reader.ReadByte();
        if (code == OfCulture)
            return ofCulture(CultureCodec.Read(reader));
        var known = code switch { Default => ofDefault, Invariant => invariant, _ => null };
        if (known is null || reader.ReadString() is not null)
            Throw.Malformed("A comparer of objects is unknown.");
        return known!;
    }
}
