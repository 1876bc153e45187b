using System.Runtime.Loader;
using Cluster.Slim.Tests.Versions;

namespace Cluster.Slim.Tests;

/// <summary>Types of contexts that can be unloaded: no cache keeps them, and equal names do not mix them up.</summary>
[Trait("Case", "slim-I")]
public sealed class CollectibleContextTests
{
    private const string Source = """
        namespace Plugin;
        public enum Color { Red, Green }
        public struct Part { public int Number; public string Name; }
        public class Model
        {
            public Model Self;
            public object Any;
            public Color Color;
            public Part Part;
            public System.Collections.Generic.List<Part> Parts = new();
            public System.Collections.Generic.Dictionary<string, Model> ByName = new();
        }
        public sealed class Flat { public int Number; public string Name; }
        """;

    private static readonly byte[] Image = TypeVersion.Compile("Plugin", Source);

    [Theory]
    [InlineData(SlimProfile.Contract)]
    [InlineData(SlimProfile.Trusted)]
    [InlineData(SlimProfile.InProcess)]
    public void Context_OfSerializedTypes_IsUnloaded(SlimProfile profile)
    {
        // On this thread, whose idle writer and reader stay behind.
        var context = RoundTripAndUnload(profile);
        for (var i = 0; i < 100 && context.IsAlive; i++)
        {
            GC.Collect();
            GC.WaitForPendingFinalizers();
        }

        Assert.False(context.IsAlive, "Something outside of the serializer keeps types of the context.");
    }

    [Theory]
    [InlineData(SlimProfile.Contract)]
    [InlineData(SlimProfile.Trusted)]
    [InlineData(SlimProfile.InProcess)]
    public void SameName_InTwoContexts_IsNotConfused(SlimProfile profile)
    {
        AssemblyLoadContext[] contexts = [NewContext(), NewContext()];
        Type[] types = [.. contexts.Select(static c => TypeIn(c, "Plugin.Model"))];
        Assert.NotEqual(types[0], types[1]);
        Assert.Equal(types[0].AssemblyQualifiedName, types[1].AssemblyQualifiedName);
        SlimSerializer slim = new(new SlimOptions { Profile = profile });
        for (var round = 0; round < 3; round++)
        {
            foreach (var type in types)
            {
                CheckModel(type, DeepClone(slim, NewModel(type)));
                CheckModel(type, ThroughRoots(slim, NewModel(type)));
            }
        }

        foreach (var context in contexts)
            context.Unload();
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static WeakReference RoundTripAndUnload(SlimProfile profile)
    {
        var context = NewContext();
        SlimSerializer slim = new(new SlimOptions { Profile = profile });
        var model = TypeIn(context, "Plugin.Model");
        for (var i = 0; i < 3; i++)
        {
            CheckModel(model, DeepClone(slim, NewModel(model)));
            DeepClone(slim, Activator.CreateInstance(TypeIn(context, "Plugin.Flat"))!);
            CheckModel(model, ThroughRoots(slim, NewModel(model)));
        }

        context.Unload();
        return new WeakReference(context);
    }

    private static object NewModel(Type type)
    {
        var model = Activator.CreateInstance(type)!;
        type.GetField("Self")!.SetValue(model, model);
        type.GetField("Any")!.SetValue(model, Activator.CreateInstance(type));
        var part = Activator.CreateInstance(type.Assembly.GetType("Plugin.Part")!)!;
        ((System.Collections.IList)type.GetField("Parts")!.GetValue(model)!).Add(part);
        ((System.Collections.IDictionary)type.GetField("ByName")!.GetValue(model)!).Add("self", model);
        return model;
    }

    private static void CheckModel(Type type, object back)
    {
        Assert.Equal(type, back.GetType());
        Assert.Same(back, type.GetField("Self")!.GetValue(back));
        Assert.Equal(type, type.GetField("Any")!.GetValue(back)!.GetType());
        Assert.Single((System.Collections.IList)type.GetField("Parts")!.GetValue(back)!);
        Assert.Same(back, ((System.Collections.IDictionary)type.GetField("ByName")!.GetValue(back)!)["self"]);
    }

    // Through the declared type, as code of the context would call it.
    private static object DeepClone(SlimSerializer slim, object value) => typeof(SlimSerializer)
        .GetMethod(nameof(SlimSerializer.DeepClone))!.MakeGenericMethod(value.GetType())
        .Invoke(slim, BindingFlags.DoNotWrapExceptions, null, [value], null)!;

    private static object ThroughRoots(SlimSerializer slim, object value)
    {
        ArrayBufferWriter<byte> output = new();
        slim.SerializeRoots(output, value);
        return slim.DeserializeRoots(new ReadOnlySequence<byte>(output.WrittenMemory), [value.GetType()])[0]!;
    }

    private static Type TypeIn(AssemblyLoadContext context, string name) =>
        Assert.Single(context.Assemblies).GetType(name, throwOnError: true)!;

    private static AssemblyLoadContext NewContext()
    {
        AssemblyLoadContext context = new("plugin", isCollectible: true);
        context.LoadFromStream(new MemoryStream(Image));
        return context;
    }
}
