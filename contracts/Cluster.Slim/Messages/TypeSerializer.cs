using Cluster.Slim.Layouts;
using Cluster.Slim.Types.Policy;

namespace Cluster.Slim.Messages;

/// <summary>Writes and reads objects of one exact type (a boxed value counts as an object): a head with the bytes for
/// creation, then a body. Immutable after construction except for lazily compiled parts; shared by all
/// threads.</summary>
internal abstract class TypeSerializer(Type type)
{
    private const int HandleBytes = 32;

    public Type Type { get; } = type;

    /// <summary>The code of a type that the format defines, or zero.</summary>
    public int WireCode { get; set; }

    /// <summary>The number of the type in this serializer, for messages that never leave it.</summary>
    public int ProcessId { get; set; }

    /// <summary>The description that the full schema sends; made at first use, racy but equal.</summary>
    public byte[]? DescriptionText { get; set; }

    /// <summary>The layout fingerprint, or zero before its first use; racy but equal.</summary>
    public ulong Fingerprint { get; set; }

    /// <summary>The least memory that a reader charges for an object of the type; the part that depends on the content
    /// is charged where it is written. Never less than the reader's charge.</summary>
    public int GraphBytes { get; private protected init; } = 256;

    /// <summary>Like <see cref="GraphBytes"/>, with the charge for the handle; the handle table doubles, and its old
    /// part is charged, too.</summary>
    public int ForeseenBytes { get; private set; }

    /// <summary>Whether a user's finalizer would run on objects of the type.</summary>
    public bool HasFinalizer { get; } = Finalizers.IsPresent(type);

    /// <summary>Whether objects of the type have an identity. Strings do not.</summary>
    public bool IsTracked { get; } = type != typeof(string);

    /// <summary>False: the object cannot exist before all of it has been read.</summary>
    public virtual bool HasBody => true;

    /// <summary>Whether the head can contain references, so that it might refer to the object itself.</summary>
    public virtual bool HeadHasReferences => false;

    /// <summary>Describes head and body on the wire, so that readers of other versions can skip or convert
    /// them.</summary>
    public abstract void Describe(LayoutBuilder layout);

    /// <summary>Whether a read may return another object than the created one.</summary>
    public bool IsReplaceable { get; private protected init; }

    /// <summary>Whether the body of this object follows its head at any depth. Asked between the two.</summary>
    public virtual bool IsWrittenWhole(SlimWriter writer, object value) => false;

    /// <summary>Whether none of the properties above makes objects of the type special; set by
    /// <see cref="Freeze"/>.</summary>
    public bool IsPlain { get; private set; }

    /// <summary>Called once, before the serializer is used.</summary>
    public void Freeze()
    {
        IsPlain = IsTracked && HasBody && !HeadHasReferences && !HasFinalizer && !IsReplaceable;
        ForeseenBytes = GraphBytes + (IsTracked ? HandleBytes : 0);
    }

    /// <summary>Writes head and body of an object of a plain type.</summary>
    public virtual void WriteWhole(SlimWriter writer, object value)
    {
        WriteHead(writer, value);
        WriteBody(writer, value);
    }

    /// <summary>Creates an object of a plain type, gives it its handle and reads its body.</summary>
    public virtual object ReadWhole(SlimReader reader)
    {
        var instance = Create(reader);
        reader.AddHandle(instance);
        ReadBody(reader, instance);
        return instance;
    }

    public virtual void WriteHead(SlimWriter writer, object value)
    {
    }

    public abstract object Create(SlimReader reader);

    public virtual void WriteBody(SlimWriter writer, object value)
    {
    }

    public virtual void ReadBody(SlimReader reader, object instance)
    {
    }

    public virtual void Complete(SlimReader reader, object instance, object content)
    {
    }

    /// <summary>Refuses a collection that was built too early to find its keys by their final content.</summary>
    public virtual void CheckComplete(object instance, object content)
    {
    }
}
