using Cluster.Slim.Fields;
using Cluster.Slim.Layouts;
using Cluster.Slim.Messages;
using Cluster.Slim.Types;

namespace Cluster.Slim.Codecs.ObjectModel;

/// <summary>Writes and reads a user's class derived from a framework collection. Head: that of the collection. Body:
/// the user's fields, then the body of the collection. The framework's constructor runs on an empty shell, the user's
/// never. The fields come first, because a fill may call members that the user has overridden.</summary>
/// <typeparam name="T">The user's class.</typeparam>
internal sealed class DerivedCollectionSerializer<T> : TypeSerializer
    where T : class
{
    private readonly TypeSerializer _collection;
    private readonly FieldSet<T>? _fields;
    private readonly int _fieldBytes;
    private readonly bool _hasOverrides;

    public DerivedCollectionSerializer(TypeSerializer collection, FieldSet<T>? fields, int fieldBytes)
        : base(typeof(T))
    {
        _collection = collection;
        _fields = fields;
        _fieldBytes = fieldBytes;
        _hasOverrides = HasOverrides();
        GraphBytes = collection.GraphBytes + fieldBytes;
    }

    public override void Describe(LayoutBuilder layout)
    {
        _fields?.Describe(layout);
        _collection.Describe(layout);
    }

    public override void WriteHead(SlimWriter writer, object value) => _collection.WriteHead(writer, value);

    public override object Create(SlimReader reader)
    {
        reader.Charge(_fieldBytes);
        var model = _collection.Create(reader);
        var shell = ShellConstructor.NewShell(typeof(T));
        ((ICollectionSerializer)_collection).Adopt(shell, model);
        return shell;
    }

    public override void WriteBody(SlimWriter writer, object value)
    {
        if (_hasOverrides)
            writer.Doubts.IsUncertain = true;
        var instance = (T)value;
        _fields?.Write(writer, ref instance);
        _collection.WriteBody(writer, value);
    }

    public override void ReadBody(SlimReader reader, object instance)
    {
        var target = (T)instance;
        _fields?.Read(reader, ref target);
        UserFill.Run(() => _collection.ReadBody(reader, instance));
    }

    // The overrides run while the collection is filled. They may now refuse items that they admitted before.
    private static bool HasOverrides() => typeof(T)
        .GetMethods(BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic)
        .Any(static m => m.IsVirtual && !TypeRules.IsFramework(m.DeclaringType!) && m.Name != "GetKeyForItem"
            && m.GetBaseDefinition().DeclaringType is { } first && first != typeof(object)
            && TypeRules.IsFramework(first));
}
