using Cluster.Slim.Codecs.Cultures;
using Cluster.Slim.Errors;
using Cluster.Slim.Keys;
using Cluster.Slim.Messages;

namespace Cluster.Slim.Codecs.Keys;

/// <summary>The comparers that travel with a collection: the well-known ones as one code, that of a culture with its
/// name and options. All others have the code of an own comparer and are objects of the graph.</summary>
internal static class Comparers
{
    /// <summary>The code of a comparer in a collection whose default comparer is the given one.</summary>
    public static byte CodeOf(object? comparer, object? ofDefault)
    {
        // A comparer of the user may be equal to anything, so only those of the framework are asked.
        if (comparer is null || ReferenceEquals(comparer, ofDefault)
            || (Types.TypeRules.IsFramework(comparer.GetType()) && comparer.Equals(ofDefault)))
            return ComparerCodes.Default;
        if (comparer is ReferenceEqualityComparer)
            return ComparerCodes.ByReference;
        return comparer is StringComparer text ? CodeOfText(text) : ComparerCodes.Own;
    }

    /// <summary>The comparer if it is the user's, so that it travels as an object; null if a code names it.</summary>
    public static object? OwnOrNull<T>(IEqualityComparer<T> comparer) =>
        CodeOf(comparer, EqualityComparer<T>.Default) == ComparerCodes.Own ? comparer : null;

    /// <summary>The same for an order.</summary>
    public static object? OwnOrNull<T>(IComparer<T> comparer) =>
        CodeOf(comparer, Comparer<T>.Default) == ComparerCodes.Own ? comparer : null;

    public static void Write<T>(SlimWriter writer, IEqualityComparer<T>? comparer) =>
        Write(writer, comparer, EqualityComparer<T>.Default);

    public static void Write<T>(SlimWriter writer, IComparer<T>? comparer) =>
        Write(writer, comparer, Comparer<T>.Default);

    public static void Write(SlimWriter writer, IComparer? comparer) => Write(writer, comparer, Comparer.Default);

    public static void Write(SlimWriter writer, IEqualityComparer? comparer) => Write(writer, comparer, null);

    /// <summary>Writes a comparer and the place of an own one: where a collection cannot wait for it.</summary>
    public static void WriteWhole<T>(SlimWriter writer, IEqualityComparer<T> comparer)
    {
        Write(writer, comparer);
        WritePlace(writer, OwnOrNull(comparer));
    }

    /// <summary>Writes a comparer and the place of an own one: where a collection cannot wait for it.</summary>
    public static void WriteWhole<T>(SlimWriter writer, IComparer<T> comparer)
    {
        Write(writer, comparer);
        WritePlace(writer, OwnOrNull(comparer));
    }

    /// <summary>The comparer that the head names; for an own one a stand-in.</summary>
    public static IEqualityComparer<T> ReadEquality<T>(SlimReader reader) => Fit<IEqualityComparer<T>>(
        reader, reader.ReadByte(), EqualityComparer<T>.Default, StandInComparer<T>.Instance)!;

    /// <summary>The comparer that the head names; for an own one a stand-in.</summary>
    public static IComparer<T> ReadOrder<T>(SlimReader reader) => Fit<IComparer<T>>(
        reader, reader.ReadByte(), Comparer<T>.Default, StandInComparer<T>.Instance)!;

    public static IComparer ReadOrder(SlimReader reader) =>
        Fit<IComparer>(reader, reader.ReadByte(), Comparer.Default, StandInComparer<object>.Instance)!;

    /// <summary>The order that the head names, for collections that have none by default.</summary>
    public static IComparer? ReadOrderOrNone(SlimReader reader) =>
        Fit<IComparer>(reader, reader.ReadByte(), null, StandInComparer<object>.Instance);

    public static IEqualityComparer? ReadEquality(SlimReader reader) =>
        Fit<IEqualityComparer>(reader, reader.ReadByte(), null, StandInComparer<object>.Instance);

    /// <summary>Reads what <c>WriteWhole</c> wrote, and tells the comparer apart if it is an own one.</summary>
    public static IEqualityComparer<T> ReadWholeEquality<T>(SlimReader reader, out object? own) =>
        Settle(reader, ReadEquality<T>(reader), out own);

    /// <summary>Reads what <c>WriteWhole</c> wrote, and tells the comparer apart if it is an own one.</summary>
    public static IComparer<T> ReadWholeOrder<T>(SlimReader reader, out object? own) =>
        Settle(reader, ReadOrder<T>(reader), out own);

    /// <summary>Reads a text comparer by its code.</summary>
    public static StringComparer? ReadText(SlimReader reader, byte code) => code switch
    {
        ComparerCodes.Ordinal => StringComparer.Ordinal,
        ComparerCodes.OrdinalIgnoreCase => StringComparer.OrdinalIgnoreCase,
        ComparerCodes.InvariantCulture => StringComparer.InvariantCulture,
        ComparerCodes.InvariantCultureIgnoreCase => StringComparer.InvariantCultureIgnoreCase,
        ComparerCodes.Culture => ReadCulture(reader),
        _ => null,
    };

    /// <summary>Writes the code of a comparer and what belongs to it.</summary>
    public static void Write(SlimWriter writer, object? comparer, object? ofDefault)
    {
        var code = CodeOf(comparer, ofDefault);
        writer.WriteByte(code);
        if (code != ComparerCodes.Culture)
            return;
        StringComparer.IsWellKnownCultureAwareComparer(
            (StringComparer)comparer!, out var culture, out var options);
        writer.WriteString(culture!.Name);
        writer.WriteRaw((int)options);
    }

    private static byte CodeOfText(StringComparer comparer) =>
        ReferenceEquals(comparer, StringComparer.Ordinal) ? ComparerCodes.Ordinal
        : ReferenceEquals(comparer, StringComparer.OrdinalIgnoreCase) ? ComparerCodes.OrdinalIgnoreCase
        : ReferenceEquals(comparer, StringComparer.InvariantCulture) ? ComparerCodes.InvariantCulture
        : ReferenceEquals(comparer, StringComparer.InvariantCultureIgnoreCase)
            ? ComparerCodes.InvariantCultureIgnoreCase
        : StringComparer.IsWellKnownCultureAwareComparer(comparer, out _, out _) ? ComparerCodes.Culture
        : ComparerCodes.Own;

    private static void WritePlace(SlimWriter writer, object? comparer)
    {
        writer.Trace?.Push("Comparer");
        writer.Write(comparer);
        writer.Trace?.Pop();
    }

    private static TComparer Settle<TComparer>(SlimReader reader, TComparer comparer, out object? own)
        where TComparer : class
    {
        reader.Trace?.Push("Comparer");
        own = reader.Read<object?>();
        reader.Trace?.Pop();
        if (comparer is not StandInComparer && own is null)
            return comparer;
        if (comparer is not StandInComparer || own is not TComparer fitting)
        {
            Throw.Malformed($"A {own?.GetType()} stands where a {typeof(TComparer)} may stand.");
            return null!;
        }

        return fitting;
    }

    private static TComparer? Fit<TComparer>(
        SlimReader reader, byte code, TComparer? ofDefault, StandInComparer standIn)
        where TComparer : class
    {
        if (code == ComparerCodes.Default)
            return ofDefault;
        object? comparer = code switch
        {
            ComparerCodes.Own => standIn,
            ComparerCodes.ByReference => ReferenceEqualityComparer.Instance,
            _ => ReadText(reader, code),
        };
        if (comparer is not TComparer fitting)
        {
            Throw.Malformed($"The comparer {code} is not a {typeof(TComparer)}.");
            return null;
        }

        return fitting;
    }

    private static StringComparer ReadCulture(SlimReader reader)
    {
        var culture = CultureCodec.Read(reader);
        var options = (CompareOptions)reader.ReadRaw<int>();
        try
        {
            return StringComparer.Create(culture, options);
        }
        catch (ArgumentException e)
        {
            throw Throw.Failed("A comparer has options that do not go together.", e);
        }
    }
}
