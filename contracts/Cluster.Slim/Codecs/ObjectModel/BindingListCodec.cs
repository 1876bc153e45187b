using System.ComponentModel;
using Cluster.Slim.Codecs.Sequences;
using Cluster.Slim.Errors;
using Cluster.Slim.Layouts;
using Cluster.Slim.Messages;

namespace Cluster.Slim.Codecs.ObjectModel;

/// <summary>Writes and reads a bindable list with its settings. Its subscribers do not travel.</summary>
/// <typeparam name="T">The item type.</typeparam>
internal readonly struct BindingListCodec<T> : ISequenceCodec<BindingList<T>, T>
{
    private const byte AllowEdit = 1;
    private const byte AllowNew = 2;
    private const byte AllowRemove = 4;
    private const byte RaiseEvents = 8;
    private const byte All = AllowEdit | AllowNew | AllowRemove | RaiseEvents;

    public static bool IsKeyed => false;

    public static void DescribeHead(StepList steps) => steps.Bytes(1);

    public static void WriteHead(SlimWriter writer, BindingList<T> collection) =>
        writer.WriteByte(SwitchesOf(collection));

    public static BindingList<T> Create(SlimReader reader)
    {
        var switches = reader.ReadByte();
        if (switches > All)
            Throw.Malformed("The switches of a list are damaged.");
        BindingList<T> list = [];
        Apply(list, switches);
        return list;
    }

    public static void CopySettings(BindingList<T> created, BindingList<T> shell) =>
        Apply(shell, SwitchesOf(created));

    public static T[] ItemsOf(BindingList<T> collection) => [.. collection];

    public static void Fill(BindingList<T> collection, T[] items)
    {
        foreach (var item in items)
            collection.Add(item);
    }

    private static byte SwitchesOf(BindingList<T> list) => (byte)(
        (list.AllowEdit ? AllowEdit : 0) + (list.AllowNew ? AllowNew : 0)
        + (list.AllowRemove ? AllowRemove : 0) + (list.RaiseListChangedEvents ? RaiseEvents : 0));

    // Each change of a setting raises an event. A derived class must not get it before its fields are read.
    private static void Apply(BindingList<T> list, byte switches)
    {
        list.RaiseListChangedEvents = false;
        list.AllowEdit = (switches & AllowEdit) != 0;
        list.AllowNew = (switches & AllowNew) != 0;
        list.AllowRemove = (switches & AllowRemove) != 0;
        list.RaiseListChangedEvents = (switches & RaiseEvents) != 0;
    }
}
