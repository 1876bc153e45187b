using System.Reflection;
using System.Runtime.InteropServices;
using Cluster.Slim.Codecs;
using Cluster.Slim.Plans;

namespace Cluster.Slim.Types;

/// <summary>Types whose author placed the fields: which fields share bytes, and what may be carried of them.</summary>
internal static class Overlays
{
    private const BindingFlags Fields = BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic;

    /// <summary>Whether fields of the type share bytes.</summary>
    internal static bool HasOverlaps(Type type)
    {
        if (!type.IsExplicitLayout)
            return false;
        int end = 0;
        foreach (FieldInfo field in type.GetFields(Fields).OrderBy(OffsetOf))
        {
            if (OffsetOf(field) < end)
                return true;
            end = OffsetOf(field) + SizeOf(field.FieldType);
        }

        return false;
    }

    internal static string? ReasonFor(Type type)
    {
        if (!HasOverlaps(type))
            return null;
        if (!type.IsValueType)
            return "it is a class with fields that share bytes.";
        return type.GetFields(Fields).All(static f => IsPlain(f.FieldType))
            ? null
            : "its fields share bytes, and not every pattern of bits is a value of all of them.";
    }

    /// <summary>One for every byte that a field covers; the others are never written.</summary>
    internal static bool[] CoverageOf(Type type)
    {
        bool[] covered = new bool[TypeShape.ValueBytesOf(type)];
        foreach (FieldInfo field in type.GetFields(Fields))
            covered.AsSpan(OffsetOf(field), SizeOf(field.FieldType)).Fill(true);
        return covered;
    }

    internal static int OffsetOf(FieldInfo field) => field.GetCustomAttribute<FieldOffsetAttribute>()?.Value ?? 0;

    private static int SizeOf(Type type) => type.IsValueType ? TypeShape.ValueBytesOf(type) : nint.Size;

    private static bool IsPlain(Type type) =>
        type.IsValueType && FrameworkCodecs.FindFixedKind(type) is { IsGenericType: true } kind
        && kind.GetGenericTypeDefinition() == typeof(RawKind<>);
}
