using Cluster.Slim.Codecs.Cultures;
using Cluster.Slim.Errors;
using Cluster.Slim.Messages;

namespace Cluster.Slim.Codecs.Keys;

/// <summary>Writes and reads comparers of objects. Each class of them has a default instance, an invariant one, and one
/// for each culture. The form is a code and the name of the culture. Stateless.</summary>
internal static class CultureOrder
{
    private const byte Default = 0;
    private const byte Invariant = 1;
    private const byte OfCulture = 2;

    /// <summary>Writes a code for the comparer, and the name of its culture.</summary>
    /// <param name="writer">The target.</param>
    /// <param name="value">The comparer.</param>
    /// <param name="ofDefault">The default comparer; null if the class has none.</param>
    /// <param name="invariant">The invariant comparer.</param>
    /// <param name="cultureOf">Finds the culture of any other comparer.</param>
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

    /// <summary>Reads a comparer that <see cref="Write"/> wrote.</summary>
    /// <param name="reader">The source.</param>
    /// <param name="ofDefault">The default comparer; null if the class has none.</param>
    /// <param name="invariant">The invariant comparer.</param>
    /// <param name="ofCulture">Creates the comparer of a culture.</param>
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
