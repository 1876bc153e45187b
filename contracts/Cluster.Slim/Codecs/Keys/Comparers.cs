using System.Globalization;

namespace Cluster.Slim.Codecs;

/// <summary>
/// The comparers that travel with a collection, each as one code; that of a culture with its name and options. Others
/// are refused on write.
/// </summary>
internal static class Comparers
{
    private const byte Default = 0;
    private const byte Ordinal = 1;
    private const byte OrdinalIgnoreCase = 2;
    private const byte InvariantCulture = 3;
    private const byte InvariantCultureIgnoreCase = 4;
    private const byte ByReference = 5;
    private const byte Culture = 6;

    internal static void Write<T>(SlimWriter writer, IEqualityComparer<T>? comparer, Type owner)
    {
        if (comparer is null || Equals(comparer, EqualityComparer<T>.Default))
            writer.WriteByte(Default);
        else if (comparer is ReferenceEqualityComparer)
            writer.WriteByte(ByReference);
        else
            WriteText(writer, comparer, owner);
    }

    internal static void Write<T>(SlimWriter writer, IComparer<T>? comparer, Type owner)
    {
        if (comparer is null || Equals(comparer, Comparer<T>.Default))
            writer.WriteByte(Default);
        else
            WriteText(writer, comparer, owner);
    }

    internal static IEqualityComparer<T> ReadEquality<T>(SlimReader reader)
    {
        byte code = reader.ReadByte();
        object? comparer = code switch
        {
            Default => EqualityComparer<T>.Default,
            ByReference => ReferenceEqualityComparer.Instance,
            _ => TextComparerOf(reader, code),
        };
        if (comparer is not IEqualityComparer<T> fitting)
        {
            Throw.Malformed($"The comparer {code} does not compare {typeof(T)}.");
            return null!;
        }

        return fitting;
    }

    internal static IComparer<T> ReadOrder<T>(SlimReader reader)
    {
        byte code = reader.ReadByte();
        object? comparer = code == Default ? Comparer<T>.Default : TextComparerOf(reader, code);
        if (comparer is not IComparer<T> fitting)
        {
            Throw.Malformed($"The comparer {code} does not order {typeof(T)}.");
            return null!;
        }

        return fitting;
    }

    private static void WriteText(SlimWriter writer, object comparer, Type owner)
    {
        byte code = CodeOf(comparer);
        if (code != Default)
        {
            writer.WriteByte(code);
            return;
        }

        if (comparer is IEqualityComparer<string?> text
            && StringComparer.IsWellKnownCultureAwareComparer(
                text, out CompareInfo? culture, out CompareOptions options))
        {
            writer.WriteByte(Culture);
            writer.WriteString(culture.Name);
            writer.WriteRaw((int)options);
            return;
        }

        throw Throw.NotSupported(owner, $"its comparer {comparer.GetType()} is not one of the well-known ones.");
    }

    private static byte CodeOf(object comparer) =>
        ReferenceEquals(comparer, StringComparer.Ordinal) ? Ordinal
        : ReferenceEquals(comparer, StringComparer.OrdinalIgnoreCase) ? OrdinalIgnoreCase
        : ReferenceEquals(comparer, StringComparer.InvariantCulture) ? InvariantCulture
        : ReferenceEquals(comparer, StringComparer.InvariantCultureIgnoreCase) ? InvariantCultureIgnoreCase
        : Default;

    private static StringComparer ReadCulture(SlimReader reader)
    {
        CultureInfo culture = CultureCodec.Read(reader);
        CompareOptions options = (CompareOptions)reader.ReadRaw<int>();
        try
        {
            return StringComparer.Create(culture, options);
        }
        catch (ArgumentException e)
        {
            throw Throw.Failed("A comparer has options that do not go together.", e);
        }
    }

    private static StringComparer? TextComparerOf(SlimReader reader, byte code) => code switch
    {
        Ordinal => StringComparer.Ordinal,
        OrdinalIgnoreCase => StringComparer.OrdinalIgnoreCase,
        InvariantCulture => StringComparer.InvariantCulture,
        InvariantCultureIgnoreCase => StringComparer.InvariantCultureIgnoreCase,
        Culture => ReadCulture(reader),
        _ => null,
    };
}
