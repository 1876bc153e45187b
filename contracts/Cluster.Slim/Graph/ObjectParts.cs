using System.Text.Json;
using System.Text.Json.Nodes;
using System.Xml.Linq;
using Cluster.Slim.Types;

namespace Cluster.Slim.Graph;

/// <summary>Finds the objects that an object refers to, through its fields, those of framework types included, because
/// a user's hash function may read any collection. Never changes anything. Used by one walk.</summary>
internal sealed class ObjectParts
{
    private const BindingFlags Declared =
        BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.DeclaredOnly;

    // These types hold no object of a message, but lead into the caches of the runtime.
    private static readonly Type[] Leaves =
    [
        typeof(string), typeof(MemberInfo), typeof(Assembly), typeof(Module), typeof(Delegate), typeof(CultureInfo),
        typeof(CompareInfo), typeof(Encoding), typeof(TimeZoneInfo), typeof(Uri), typeof(Version),
        typeof(StringBuilder), typeof(IPAddress), typeof(Thread), typeof(StringComparer), typeof(Pointer),
        typeof(JsonDocument), typeof(JsonElement), typeof(JsonNode), typeof(XObject), typeof(XName),
        typeof(XNamespace), typeof(Cookie), typeof(HttpMethod), typeof(TimeZoneInfo.AdjustmentRule),
    ];

    private readonly Dictionary<Type, FieldInfo[]> _fields = [];
    private readonly Dictionary<Type, bool> _holders = [];

    /// <summary>Whether an instance of exactly this type can refer to objects of a message.</summary>
    public bool MayHoldObjects(Type type)
    {
        if (_holders.TryGetValue(type, out var known))
            return known;
        var holds = type.IsArray ? MayBeHolder(type.GetElementType()!) : FieldsOf(type).Length > 0;
        _holders[type] = holds;
        return holds;
    }

    /// <summary>The objects that the object refers to directly, also through structs inside it.</summary>
    public IEnumerable<object> Of(object value)
    {
        var type = value.GetType();
        if (!MayHoldObjects(type))
            yield break;
        if ((value as Array ?? InlineElements.ElementsOf(value)) is { } array)
        {
            var isInline = array.GetType().GetElementType()!.IsValueType;
            foreach (var element in array)
            {
                if (element is null)
                    continue;
                if (!isInline)
                {
                    yield return element;
                    continue;
                }

                foreach (var part in Of(element))
                    yield return part;
            }

            yield break;
        }

        foreach (var field in FieldsOf(type))
        {
            if (field.GetValue(value) is not { } held)
                continue;
            if (!field.FieldType.IsValueType)
            {
                yield return held;
                continue;
            }

            foreach (var part in Of(held))
                yield return part;
        }
    }

    /// <summary>The fields of the type and its bases that may lead to objects.</summary>
    public FieldInfo[] FieldsOf(Type type)
    {
        if (_fields.TryGetValue(type, out var known))
            return known;
        List<FieldInfo> fields = [];
        if (!IsLeaf(type))
        {
            for (var level = type; level is not null && level != typeof(object); level = level.BaseType)
                fields.AddRange(level.GetFields(Declared).Where(f => MayBeHolder(f.FieldType)));
        }

        return _fields[type] = [.. fields];
    }

    // Whether a place of the type may hold a value that refers to objects.
    private bool MayBeHolder(Type declared)
    {
        if (IsLeaf(declared))
            return false;
        if (declared.IsArray)
            return MayBeHolder(declared.GetElementType()!);
        return !declared.IsValueType || FieldsOf(declared).Length > 0;
    }

    private static bool IsLeaf(Type type) =>
        type.IsPrimitive || type.IsEnum || type.IsPointer || type.IsFunctionPointer || type.IsByRefLike
        || Leaves.Any(leaf => leaf.IsAssignableFrom(type));
}
