using Cluster.Slim.Layouts;
using Cluster.Slim.Types.Policy;

namespace Cluster.Slim.Messages;

/// <summary>How objects of one exact type (a boxed value counts as an object) are written and read: a head with what
/// creation needs, then a body. Immutable after construction except for lazily compiled parts; shared by all
/// threads.</summary>
internal abstract class TypeSerializer(Type type)
{
    private const int HandleBytes = 32;

    public Type Type { get; } = type;

    /// <summary>The code of a type that the format knows by itself, or zero.</summary>
    public int WireCode { get; set; }

    /// <summary>The number of the type in this serializer, for messages that never leave it.</summary>
    public int ProcessId { get; set; }

    /// <summary>The description that the full schema sends; made at first use, racily but equal.</summary>
    public byte[]? DescriptionText { get; set; }

    /// <summary>The layout fingerprint, or zero before its first use; written racily but equal.</summary>
    public ulong Fingerprint { get; set; }

    /// <summary>What a reader charges for an object of the type at least; what depends on the content is charged where
    /// it is written. Never less than what it does charge.</summary>
    public int GraphBytes { get; private protected init; } = 256;

    /// <summary>The same with what it charges for the handle; its table doubles, and what it had is charged,
    /// too.</summary>
    public int ForeseenBytes { get; private set; }

    /// <summary>Whether a user's finalizer would run on objects of the type.</summary>
    public bool HasFinalizer { get; } = Finalizers.IsPresent(type);

    /// <summary>Whether objects of the type have an identity. Strings do not.</summary>
    public bool IsTracked { get; } = type != typeof(string);

    /// <summary>False when the object cannot exist before all of it has been read.</summary>
    public virtual bool HasBody => true;

    /// <summary>Whether the head can contain references, so that it might refer to the object itself.</summary>
    public virtual bool HeadHasReferences => false;

    /// <summary>Says what head and body are on the wire, so that readers of other versions can follow.</summary>
    public abstract void Describe(LayoutBuilder layout);

    /// <summary>Whether what comes out of a read may be another object than the one that was created.</summary>
    public bool IsReplaceable { get; private protected init; }

    /// <summary>Whether the body of this object follows its head however deep it lies. Asked between the two.</summary>
    public virtual bool IsWrittenWhole(SlimWriter writer, object value) => false;

    /// <summary>Whether nothing of the above makes objects of the type special; set by <see cref="Freeze"/>.</summary>
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
