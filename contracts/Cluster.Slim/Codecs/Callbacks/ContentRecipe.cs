using System.Runtime.Serialization;
using Cluster.Slim.Errors;
using Cluster.Slim.Messages;
using Cluster.Slim.Types;

namespace Cluster.Slim.Codecs.Callbacks;

/// <summary>Builds an object from named values. A type that is <c>ISerializable</c> runs its serialization constructor
/// on an empty shell. Another type, which can only stand in for an <c>ISerializable</c> type, gets each value into the
/// field of that name. Immutable.</summary>
internal sealed class ContentRecipe
{
    private static readonly Type[] Parameters = [typeof(SerializationInfo), typeof(StreamingContext)];

    private const string ReasonNotBuildable = "it cannot stand in for a type that says itself what is carried of it.";

    private readonly bool _isBuildable;
    private readonly bool _isSerializable;
    private readonly MethodInvoker? _constructor;
    private readonly Dictionary<string, FieldInfo> _fields = new(StringComparer.Ordinal);

    public ContentRecipe(Type type, TypeRules rules)
    {
        Type = type;
        _isBuildable = TypeShape.IsAllUser(type) && !type.IsAbstract && !rules.Codecs.ContainsKey(type);
        Callbacks = TypeCallbacks.Find(type);
        _isSerializable = SelfSerialization.IsPresent(type);
        var constructor = type.GetConstructor(
            BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic, Parameters);
        _constructor = constructor is null ? null : MethodInvoker.Create(constructor);
        var fields = TypeShape.FieldsOf(type);
        Bytes = TypeShape.InstanceBytesOf(fields);
        foreach (var field in fields)
            _fields[field.Name] = field;
    }

    public Type Type { get; }

    public TypeCallbacks? Callbacks { get; }

    /// <summary>The memory of an object, in bytes.</summary>
    public int Bytes { get; }

    /// <summary>Creates the empty object. A message may name any type of the closed list here, so this refuses types
    /// that cannot be built.</summary>
    public object NewShell(SlimReader reader)
    {
        if (!_isBuildable)
            throw Throw.NotSupported(Type, ReasonNotBuildable);
        reader.Charge(Bytes);
        var shell = RuntimeHelpers.GetUninitializedObject(Type);
        Callbacks?.RunDeserializing(reader, shell);
        return shell;
    }

    /// <summary>Says why no object can be built from values with these names, else null. Writers and readers both
    /// ask.</summary>
    public string? ReasonAgainst(IEnumerable<string> names)
    {
        if (!_isBuildable)
            return ReasonNotBuildable;
        if (_isSerializable)
        {
            return _constructor is null
                ? $"it is ISerializable and has no constructor {Type.Name}(SerializationInfo, StreamingContext)."
                : null;
        }

        var unknown = names.FirstOrDefault(name => !_fields.ContainsKey(name));
        return unknown is null ? null : $"it stands in for another type, but has no field named '{unknown}'.";
    }

    public void Apply(SlimReader reader, object shell, SerializedContent content)
    {
        if (!_isSerializable)
        {
            SetFields(shell, content);
            return;
        }

        reader.Completions.CountCallback(reader);
        try
        {
            var info = FormatterInterfaces.NewInfo(Type);
            for (var i = 0; i < content.Names.Length; i++)
                info.AddValue(content.Names[i], content.Values[i], content.Values[i]?.GetType() ?? typeof(object));
            _constructor!.Invoke(shell, info, FormatterInterfaces.BoxedContext);
        }
        catch (Exception e) when (e is not SlimException and not OutOfMemoryException)
        {
            throw Throw.Failed($"The serialization constructor of {Type} failed.", e);
        }
    }

    private void SetFields(object shell, SerializedContent content)
    {
        for (var i = 0; i < content.Names.Length; i++)
        {
            var field = _fields[content.Names[i]];
            var value = content.Values[i];
            if (value is null ? field.FieldType.IsValueType : !field.FieldType.IsInstanceOfType(value))
                Throw.Malformed($"A value for {Type.Name}.{field.Name} is not a {field.FieldType}.");
            field.SetValue(shell, value);
        }
    }
}
