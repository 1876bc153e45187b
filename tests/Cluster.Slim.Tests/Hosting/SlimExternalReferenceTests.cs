using Cluster.Slim.Hosting;
using Cluster.Slim.Tests.Versions;

namespace Cluster.Slim.Tests.Hosting;

/// <summary>Objects in places of external interfaces of a host: it gets them, and gives its own back.</summary>
public sealed class SlimExternalReferenceTests
{
    private readonly SlimSerializer _slim = new(new SlimOptions().UseExternalReferences(static type => type == typeof(IEar)));

    [Fact]
    public void Object_InEveryKindOfPlace_ComesBackFromTheHost()
    {
        var host = new Host();
        IEar[] ears = [.. Enumerable.Range(0, 6).Select(static _ => new Ear())];
        var graph = new Graph
        {
            Field = ears[0],
            Array = [ears[1], null],
            List = [ears[2]],
            Map = new Dictionary<string, IEar> { ["a"] = ears[3] },
            Pair = (ears[4], 7),
        };
        var message = Write(host, graph, ears[5]);

        var reader = Open(host, message);
        var back = reader.Read<Graph>();
        var root = reader.Read<IEar>();
        reader.Complete();
        Assert.Equal(
            ears, [back.Field!, back.Array![0]!, back.List![0], back.Map!["a"], back.Pair.Ear!, root]);
        Assert.Null(back.Array[1]);
        Assert.Equal(7, back.Pair.Number);
        Assert.All(host.Declared, static type => Assert.Equal(typeof(IEar), type));
    }

    [Fact]
    public void Object_InTwoPlaces_IsExportedOnceAndIsOneObject()
    {
        var host = new Host();
        var ear = new Ear();
        var reader = Open(host, Write(host, new Graph { Field = ear, Array = [ear] }, ear));
        var back = reader.Read<Graph>();
        Assert.Same(back.Field, reader.Read<IEar>());
        Assert.Same(back.Field, back.Array![0]);
        Assert.Single(host.Objects);
    }

    [Fact]
    public void Null_IsNotTheHosts()
    {
        var host = new Host();
        Assert.Null(Open(host, Write(host, new Graph())).Read<Graph>().Field);
        Assert.Empty(host.Objects);
    }

    [Fact]
    public void Message_WithoutHost_RefusesTheMember()
    {
        var graph = new Graph { Array = [null, new Ear()] };
        var refused = Assert.Throws<SlimTypeNotSupportedException>(() => _slim.Serialize(graph));
        Assert.Equal("Graph.Array", refused.MemberPath![..11]);
        var message = Write(new Host(), graph);
        Assert.Throws<SlimMalformedException>(() => Open(null, message).Read<Graph>());
        Assert.Throws<SlimMalformedException>(() => _slim.Deserialize<Graph>(message));
    }

    [Fact]
    public void FailedWrite_AsksTheHostOnce()
    {
        var host = new Host();
        var graph = new Graph { Other = new MemoryStream(), Field = new Ear() };
        var writer = new SlimMessageWriter(_slim);
        writer.Begin(new ArrayBufferWriter<byte>(), host);
        writer.Write<IEar>(new Ear());
        var refused = Assert.Throws<SlimTypeNotSupportedException>(() => writer.Write(graph));
        Assert.Equal("Graph.Other", refused.MemberPath);
        Assert.Equal(2, host.Objects.Count);
    }

    [Fact]
    public void FailedRead_NamesTheMember()
    {
        var host = new Host();
        var message = Write(host, new Graph { Field = new Ear(), List = [new Ear()] });
        host.Objects[1] = "something else";
        var refused = Assert.Throws<SlimMalformedException>(() => Open(host, message).Read<Graph>());
        Assert.Equal("Graph.List[0]", refused.MemberPath);
    }

    [Fact]
    public void Reference_WhereNoInterfaceIsExternal_IsRefused()
    {
        var host = new Host();
        var message = Write(host, new Graph { Field = new Ear() });
        var other = new SlimMessageReader(new SlimSerializer());
        other.Begin(new ReadOnlySequence<byte>(message), host);
        Assert.Throws<SlimMalformedException>(() => other.Read<Graph>());
    }

    [Fact]
    public void ExternalInterface_BringsNoTypeOntoTheList()
    {
        var host = new Host();
        var writer = new SlimMessageWriter(_slim);
        writer.Begin(new ArrayBufferWriter<byte>(), host);
        Assert.Throws<SlimTypeNotAllowedException>(() => writer.Write(new Graph { Other = new Ear() }));
    }

    [Fact]
    public void InterfaceAllowedByName_IsData()
    {
        var slim = new SlimSerializer(new SlimOptions().Allow<IEar>().UseExternalReferences(static _ => true));
        var back = slim.Deserialize<Graph>(slim.Serialize(new Graph { Field = new Ear { Name = "left" } }));
        Assert.Equal("left", ((Ear)back.Field!).Name);
    }

    [Fact]
    public void SkippedReference_IsNotAskedFor()
    {
        var host = new Host();
        var message = Write(host, new Graph { Field = new Ear(), Name = "here" });
        host.Objects.Clear();
        Assert.Equal("here", _slim.CreateProjection<Graph, string>(static g => g.Name!).Read(message));
    }

    [Fact]
    public void AreReachedFrom_FollowsDeclarations()
    {
        Assert.True(SlimExternalReferences.AreReachedFrom(_slim, typeof(List<Graph>)));
        Assert.True(SlimExternalReferences.AreReachedFrom(_slim, typeof(IEar)));
        Assert.False(SlimExternalReferences.AreReachedFrom(_slim, typeof(List<string>)));
        Assert.False(SlimExternalReferences.AreReachedFrom(new SlimSerializer(), typeof(Graph)));
    }

    [Fact]
    public void FullSchemaOfAnotherVersion_GivesTheHostsObjects()
    {
        var pair = new VersionPair(
            "public interface IBell; public class Chime : IBell; public class Door { public IBell Bell; public int Old; }",
            "public interface IBell; public class Chime : IBell; public class Door { public IBell Bell; public int New; }");
        var host = new Host();
        var oldDoor = pair.Old.All.Single(static t => t.Name == "Door");
        var newDoor = pair.Now.All.Single(static t => t.Name == "Door");
        var door = Activator.CreateInstance(oldDoor)!;
        oldDoor.GetField("Bell")!.SetValue(door, NewChime(pair.Old));
        var writer = new SlimMessageWriter(WithExternal(oldDoor));
        var output = new ArrayBufferWriter<byte>();
        writer.Begin(output, host);
        writer.WriteObject(oldDoor, door);
        writer.Complete();
        host.Objects[0] = NewChime(pair.Now);
        var reader = new SlimMessageReader(WithExternal(newDoor));
        reader.Begin(new ReadOnlySequence<byte>(output.WrittenMemory), host);
        var back = reader.ReadObject(newDoor)!;
        Assert.Same(host.Objects[0], newDoor.GetField("Bell")!.GetValue(back));
    }

    private static object NewChime(TypeVersion version) =>
        Activator.CreateInstance(version.All.Single(static t => t.Name == "Chime"))!;

    private static SlimSerializer WithExternal(Type type) =>
        new(new SlimOptions().Allow(type).UseExternalReferences(static t => t.Name == "IBell"));

    private byte[] Write(Host host, Graph graph, params IEar?[] roots)
    {
        var output = new ArrayBufferWriter<byte>();
        var writer = new SlimMessageWriter(_slim);
        writer.Begin(output, host);
        writer.Write(graph);
        foreach (var root in roots)
            writer.Write(root);
        writer.Complete();
        return output.WrittenSpan.ToArray();
    }

    private SlimMessageReader Open(Host? host, byte[] message)
    {
        var reader = new SlimMessageReader(_slim);
        reader.Begin(new ReadOnlySequence<byte>(message), host);
        return reader;
    }

    public interface IEar
    {
        void Hear();
    }

    public sealed class Ear : IEar
    {
        public string? Name { get; set; }

        public void Hear()
        {
        }
    }

    public sealed class Graph
    {
        public IEar? Field { get; set; }

        public IEar?[]? Array { get; set; }

        public List<IEar>? List { get; set; }

        public Dictionary<string, IEar>? Map { get; set; }

        public (IEar? Ear, int Number) Pair { get; set; }

        public object? Other { get; set; }

        public string? Name { get; set; }
    }

    private sealed class Host : ISlimReferences
    {
        public List<object> Objects { get; } = [];

        public List<Type> Declared { get; } = [];

        public int Export(Type declared, object value)
        {
            Declared.Add(declared);
            Objects.Add(value);
            return Objects.Count - 1;
        }

        public object Import(Type declared, int number)
        {
            Declared.Add(declared);
            return Objects[number];
        }
    }
}
