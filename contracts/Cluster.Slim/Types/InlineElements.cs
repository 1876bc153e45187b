using System.Reflection;
using System.Runtime.CompilerServices;

namespace Cluster.Slim.Types;

/// <summary>Structs that are a fixed number of elements behind one field: inline arrays and fixed buffers.</summary>
/// <param name="Element">The element type.</param>
/// <param name="Length">How many there are.</param>
internal sealed record InlineElements(Type Element, int Length)
{
    internal static InlineElements? Find(Type type)
    {
        if (!type.IsValueType || type.IsPrimitive || type.IsEnum || TypeRules.IsFramework(type))
            return null;
        FieldInfo[] fields = type.GetFields(BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic);
        if (fields.Length != 1)
            return null;
        Type element = fields[0].FieldType;
        if (type.GetCustomAttribute<InlineArrayAttribute>() is { } inline)
            return new InlineElements(element, inline.Length);
        return type.IsDefined(typeof(UnsafeValueTypeAttribute), false) && fields[0].Name == "FixedElementField"
            ? new InlineElements(element, TypeShape.ValueBytesOf(type) / TypeShape.ValueBytesOf(element))
            : null;
    }
}
