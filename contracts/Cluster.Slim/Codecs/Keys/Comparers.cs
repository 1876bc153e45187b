using Cluster.Slim.Codecs.Cultures;
using Cluster.Slim.Errors;
using Cluster.Slim.Keys;
using Cluster.Slim.Messages;

namespace Cluster.Slim.Codecs.Keys;

/// <summary>Writes and reads the comparers of collections. A well-known comparer is one code, and that of a culture a
/// code, name and options. Any other comparer has the code <c>Own</c> and is an object of the graph.
/// Stateless.</summary>
internal static class Comparers
{
    /// <summary>The code of a comparer, in a collection whose default comparer is
    /// <paramref name="ofDefault"/>.</summary>
    public static byte CodeOf(object? comparer, object? ofDefault)
    {
        // A user's comparer may say that it equals any object, so only comparers of the framework are asked.
        if (comparer is null || ReferenceEquals(comparer, ofDefault)
            || (Types.TypeRules.IsFramework(comparer.GetType()) && comparer.Equals(ofDefault)))
            return ComparerCodes.Default;
        if (comparer is ReferenceEqualityComparer)
            return ComparerCodes.ByReference;
        return comparer is StringComparer text ? CodeOfText(text) : ComparerCodes.Own;
    }

    /// <summary>The comparer if it travels as an object; null if a code names it.</summary>
    public static object? OwnOrNull<T>(IEqualityComparer<T> comparer) =>
        CodeOf(comparer, EqualityComparer<T>.Default) == ComparerCodes.Own ? comparer : null;

    /// <summary>The comparer if it travels as an object; null if a code names it.</summary>
    public static object? OwnOrNull<T>(IComparer<T> comparer) =>
        CodeOf(comparer, Comparer<T>.Default) == ComparerCodes.Own ? comparer : null;

    public static void Write<T>(SlimWriter writer, IEqualityComparer<T>? comparer) =>
        Write(writer, comparer, EqualityComparer<T>.Default);

    public static void Write<T>(SlimWriter writer, IComparer<T>? comparer) =>
        Write(writer, comparer, Comparer<T>.Default);

    public static void Write(SlimWriter writer, IComparer? comparer) => Write(writer, comparer, Comparer.Default);

    public static void Write(SlimWriter writer, IEqualityComparer? comparer) => Write(writer, comparer, null);

    /// <summary>Writes a comparer and, after the code <c>Own</c>, its object place: for collections that cannot be
    /// created before their comparer.</summary>
    public static void WriteWhole<T>(SlimWriter writer, IEqualityComparer<T> comparer)
    {
        Write(writer, comparer);
        WritePlace(writer, OwnOrNull(comparer));
    }

    /// <summary>Writes a comparer and, after the code <c>Own</c>, its object place: for collections that cannot be
    /// created before their comparer.</summary>
    public static void WriteWhole<T>(SlimWriter writer, IComparer<T> comparer)
    {
        Write(writer, comparer);
        WritePlace(writer, OwnOrNull(comparer));
    }

    /// <summary>Reads the comparer of a head. For the code <c>Own</c> returns a stand-in.</summary>
    public static IEqualityComparer<T> ReadEquality<T>(SlimReader reader) => Fit<IEqualityComparer<T>>(
        reader, reader.ReadByte(), EqualityComparer<T>.Default, StandInComparer<T>.Instance)!;

    /// <summary>Reads the order of a head. For the code <c>Own</c> returns a stand-in.</summary>
    public static IComparer<T> ReadOrder<T>(SlimReader reader) => Fit<IComparer<T>>(
        reader, reader.ReadByte(), Comparer<T>.Default, StandInComparer<T>.Instance)!;

    public static IComparer ReadOrder(SlimReader reader) =>
        Fit<IComparer>(reader, reader.ReadByte(), Comparer.Default, StandInComparer<object>.Instance)!;

    /// <summary>Reads the order of a head, for collections whose default is no comparer (null).</summary>
    public static IComparer? ReadOrderOrNone(SlimReader reader) =>
        Fit<IComparer>(reader, reader.ReadByte(), null, StandInComparer<object>.Instance);

    public static IEqualityComparer? ReadEquality(SlimReader reader) =>
        Fit<IEqualityComparer>(reader, reader.ReadByte(), null, StandInComparer<object>.Instance);

    /// <summary>Reads a comparer that <c>WriteWhole</c> wrote. Its object is <paramref name="own"/> if the code was
    /// <c>Own</c>, else null.</summary>
    public static IEqualityComparer<T> ReadWholeEquality<T>(SlimReader reader, out object? own) =>
        Settle(reader, ReadEquality<T>(reader), out own);

    /// <summary>Reads an order that <c>WriteWhole</c> wrote. Its object is <paramref name="own"/> if the code was
    /// <c>Own</c>, else null.</summary>
    public static IComparer<T> ReadWholeOrder<T>(SlimReader reader, out object? own) =>
        Settle(reader, ReadOrder<T>(reader), out own);

    /// <summary>Returns the text comparer of the code, and reads the name and options of a culture; null if the code
    /// names no text comparer.</summary>
    public static StringComparer? ReadText(SlimReader reader, byte code) => code switch
    {
        ComparerCodes.Ordinal => StringComparer.Ordinal,
        ComparerCodes.OrdinalIgnoreCase => StringComparer.OrdinalIgnoreCase,
        ComparerCodes.InvariantCulture => StringComparer.InvariantCulture,
        ComparerCodes.InvariantCultureIgnoreCase => StringComparer.InvariantCultureIgnoreCase,
        ComparerCodes.Culture => ReadCulture(reader),
        _ => null,
    };

    /// <summary>Writes the code of a comparer and, for that of a culture, name and options.</summary>
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
