using System.Collections.Concurrent;
using System.Globalization;
using System.Reflection;
using System.Text;
using Cluster.Slim.Hosting;

namespace Cluster.Slim.Types;

/// <summary>
/// The 64-bit fingerprints of the layouts of types: over the names and fields of the type and of everything that
/// declarations reach from it, because objects in places of exactly their declared type go without their own. One per
/// serializer, because codecs are part of the layout; grows with the types used; safe for many threads.
/// </summary>
internal sealed class LayoutFingerprints(TypeRules rules)
{
    private readonly ConcurrentDictionary<Type, ulong> _known = new();
    private readonly ConcurrentDictionary<Type, ulong[]> _past = new();

    internal ulong Of(Type type) =>
        _known.TryGetValue(type, out ulong known) ? known : _known.GetOrAdd(type, Compute(type, null));

    /// <summary>The fingerprints that the same fields had before each rename of the history.</summary>
    internal ulong[] PastOf(Type type) => _past.TryGetValue(type, out ulong[]? known)
        ? known
        : _past.GetOrAdd(type, [.. rules.History.Select(past => Compute(type, past))]);

    /// <summary>The fields of one type as text, for messages about differences.</summary>
    internal static string[] FieldsTextOf(Type type, PastNames? past = null) =>
        TypeRules.IsFramework(type) || type.IsArray || type.IsEnum
            ? []
            : [.. TypeShape.FieldsOf(type).Select(f => DeclarerOf(type, f, past) + f.Name + " " + TypeOf(f, past))];

    private static string DeclarerOf(Type type, FieldInfo field, PastNames? past) =>
        field.DeclaringType == type ? "" : TypeNames.Of(field.DeclaringType!, past) + ".";

    private static string TypeOf(FieldInfo field, PastNames? past) => TypeNames.Of(field.FieldType, past);

    private ulong Compute(Type type, PastNames? past)
    {
        SortedDictionary<string, string> texts = new(StringComparer.Ordinal);
        Queue<Type> waiting = new([type]);
        while (waiting.TryDequeue(out Type? next))
        {
            if (!texts.TryAdd(TypeNames.Of(next, past), LocalTextOf(next, past)) || rules.Codecs.ContainsKey(next))
                continue;
            foreach (Type part in TypeShape.PartsOf(next))
                waiting.Enqueue(part);
        }

        StringBuilder text = new(TypeNames.Of(type, past));
        foreach ((string name, string local) in texts)
            text.Append('\n').Append(name).Append('\t').Append(local);
        return XxHash3.Hash(Encoding.UTF8.GetBytes(text.ToString()));
    }

    private string LocalTextOf(Type type, PastNames? past)
    {
        if (rules.Codecs.TryGetValue(type, out object? codec))
            return "codec " + LayoutVersionOf(codec).ToString(CultureInfo.InvariantCulture);
        if (type.IsEnum)
            return TypeNames.Of(Enum.GetUnderlyingType(type));
        string fields = string.Join(";", FieldsTextOf(type, past));
        if (InlineElements.Find(type) is { } inline)
            return string.Create(CultureInfo.InvariantCulture, $"{fields}[{inline.Length}]");
        return Overlays.HasOverlaps(type) ? fields + OffsetsTextOf(type) : fields;
    }

    private static string OffsetsTextOf(Type type) => string.Concat(TypeShape.FieldsOf(type)
        .Select(static f => "@" + Overlays.OffsetOf(f).ToString(CultureInfo.InvariantCulture)));

    private static int LayoutVersionOf(object codec) =>
        (int)codec.GetType().GetProperty(nameof(SlimCodec<int>.Version))!.GetValue(codec)!;
}
