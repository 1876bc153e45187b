using Cluster.Slim.Layouts;
using Cluster.Slim.Plans;

namespace Cluster.Slim.Codecs;

/// <summary>
/// A user's class derived from a framework collection. Head: that of the collection. Body: the user's fields, then the
/// body of the collection. The framework's constructor runs on an empty shell, the user's never; the fields come first
/// because filling may call members that the user has overridden.
/// </summary>
/// <typeparam name="T">The user's class.</typeparam>
internal sealed class DerivedCollectionPlan<T>(ObjectPlan collection, FieldSet<T>? fields, int fieldBytes)
    : ObjectPlan(typeof(T))
    where T : class
{
    internal override void Describe(LayoutBuilder layout)
    {
        fields?.Describe(layout);
        collection.Describe(layout);
    }

    internal override void WriteHead(SlimWriter writer, object value) => collection.WriteHead(writer, value);

    internal override object Create(SlimReader reader)
    {
        reader.Charge(fieldBytes);
        object model = collection.Create(reader);
        object shell = ShellConstructor.NewShell(typeof(T));
        ((ICollectionPlan)collection).Adopt(shell, model);
        return shell;
    }

    internal override void WriteBody(SlimWriter writer, object value)
    {
        T instance = (T)value;
        fields?.Write(writer, ref instance);
        collection.WriteBody(writer, value);
    }

    internal override void ReadBody(SlimReader reader, object instance)
    {
        T target = (T)instance;
        fields?.Read(reader, ref target);
        UserFill.Run(() => collection.ReadBody(reader, instance));
    }
}
