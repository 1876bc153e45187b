using System.Runtime.Serialization;

namespace Cluster.Slim.Types;

#pragma warning disable SYSLIB0050, SYSLIB0051 // The one place that touches the interfaces of the formatters of old.

/// <summary>The framework's own serialization interfaces, which types of before still implement. They are marked as
/// obsolete; only this class names them. Stateless.</summary>
internal static class FormatterInterfaces
{
    /// <summary>What every callback is told: nothing about who asks, as with the formatters.</summary>
    public static StreamingContext Context { get; } = new(StreamingContextStates.All);

    /// <summary>The same in a box, for calls by reflection.</summary>
    public static object BoxedContext { get; } = Context;

    private static FormatterConverter Converter { get; } = new();

    /// <summary>Whether the type says itself what is carried of it.</summary>
    public static bool IsSerializable(Type type) => typeof(ISerializable).IsAssignableFrom(type);

    /// <summary>Whether objects of the type stand for others.</summary>
    public static bool IsReference(Type type) => typeof(IObjectReference).IsAssignableFrom(type);

    public static SerializationInfo NewInfo(Type type) => new(type, Converter);

    public static void GetContent(object value, SerializationInfo info) =>
        ((ISerializable)value).GetObjectData(info, Context);

    /// <summary>Whether the content names its type by a text, which is never looked up.</summary>
    public static bool NamesTypeByText(SerializationInfo info) =>
        info.IsFullTypeNameSetExplicit || info.IsAssemblyNameSetExplicit;

    public static object? RealObjectOf(object reference) => ((IObjectReference)reference).GetRealObject(Context);
}
