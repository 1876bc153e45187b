using System.Runtime.Serialization;

namespace Cluster.Slim.Types;

/// <summary>The serialization callbacks that users' types declare. Stateless.</summary>
internal static class CallbackMethods
{
    private const BindingFlags Declared =
        BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.DeclaredOnly;

    private static readonly Type[] Marks =
    [
        typeof(OnSerializingAttribute), typeof(OnSerializedAttribute), typeof(OnDeserializingAttribute),
        typeof(OnDeserializedAttribute),
    ];

    public static bool ArePresent(Type type) => !TypeRules.IsFramework(type)
        && (IsNotified(type) || FormatterInterfaces.IsReference(type)
            || Marks.Any(mark => MarkedBy(type, mark).Length > 0));

    /// <summary>Finds a method with a callback attribute whose signature is wrong, so that it cannot be called; else
    /// null.</summary>
    public static MethodInfo? FindMisfit(Type type) => Marks.SelectMany(mark => MarkedBy(type, mark))
        .FirstOrDefault(static m => m.IsGenericMethod || m.ReturnType != typeof(void)
            || m.GetParameters() is not [{ } only] || only.ParameterType != typeof(StreamingContext));

    // Framework base classes implement the interface for their own use; only an implementation by the user is called.
    public static bool IsNotified(Type type) =>
        !type.IsInterface && typeof(IDeserializationCallback).IsAssignableFrom(type)
        && type.GetInterfaceMap(typeof(IDeserializationCallback)).TargetMethods is [{ DeclaringType: { } declarer }]
        && !TypeRules.IsFramework(declarer);

    // An override counts as the method that it overrides, which is called once.
    public static MethodInfo[] MarkedBy(Type type, Type mark)
    {
        List<MethodInfo> methods = [];
        for (var level = type; level is not null && !TypeRules.IsFramework(level); level = level.BaseType)
            methods.InsertRange(0, level.GetMethods(Declared).Where(m => m.IsDefined(mark, false)));
        return [.. methods.DistinctBy(static m => m.GetBaseDefinition())];
    }
}
