using System.Reflection.Emit;
using Cluster.Slim.Errors;
using Cluster.Slim.Layouts;
using Cluster.Slim.Messages;
using Cluster.Slim.Types;

namespace Cluster.Slim.Codecs.Callbacks;

/// <summary>Writes and reads a delegate of one static method of a type that the user opted in. Head: the text of the
/// method. No body.</summary>
internal sealed class DelegateSerializer(Type type, CarriedMethods methods) : TypeSerializer(type)
{
    private const int DelegateBytes = 64;

    public override bool HasBody => false;

    public override void Describe(LayoutBuilder layout) => layout.Creation.Text();

    public override void WriteHead(SlimWriter writer, object value)
    {
        var carried = (Delegate)value;
        if (!carried.HasSingleTarget)
            throw Throw.NotSupported(Type, "it calls several methods; carry them one by one.");
        var method = carried.Method;
        if (carried.Target is { } target)
        {
            throw Throw.NotSupported(
                Type, $"it calls {method.Name} on a {target.GetType()}; only static methods travel, no closures.");
        }

        if (!method.IsStatic)
            throw Throw.NotSupported(Type, $"it calls the instance method {method.Name}; only static methods travel.");
        if (method is DynamicMethod || method.DeclaringType is not { } declarer)
            throw Throw.NotSupported(Type, "it calls a method that was made at run time.");
        if (methods.FindText(method) is not { } text)
        {
            throw Throw.NotSupported(
                Type, $"it calls {declarer}.{method.Name}. Add: .AllowMethodsOf(typeof({declarer.Name}))");
        }

        writer.WriteString(text);
    }

    public override object Create(SlimReader reader)
    {
        reader.Charge(DelegateBytes);
        var text = reader.ReadString();
        var method = text is null ? null : methods.Find(text);
        if (method is null)
        {
            throw Throw.NotSupported(
                Type, "the message names a method that is on no list. Add its type with AllowMethodsOf.");
        }

        var carried = Delegate.CreateDelegate(Type, method, throwOnBindFailure: false);
        if (carried is null)
            Throw.Malformed($"The method {method.Name} does not have the signature of a {Type}.");
        return carried!;
    }
}
