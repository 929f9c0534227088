package pipeline
import ("testing";"time";"fmt";"context"
"github.com/winnow-mutants/winnow/ir"
"github.com/winnow-mutants/winnow/mutant/operator"
"github.com/winnow-mutants/winnow/mutant/rule"
"github.com/winnow-mutants/winnow/mutant/schemata"
"github.com/winnow-mutants/winnow/equiv/tce"
"github.com/winnow-mutants/winnow/execute"
)
func TestZZ(t *testing.T){
 none,_:=tce.ByName("none")
 for _,n:=range []string{"bst","expr"} { for _,set:=range []string{"default","mart816"} {
  rules,_:=rule.Lookup(set)
  pr,_:=OpenProject("../examples/"+n); cs,_:=pr.Cases(false)
  tools:=toolchain(t)
  s:=time.Now()
  p,err:=Load(context.Background(),tools,cs[0].Inputs,LoadOptions{Mutation:Mutation{Rules:rules,Passes:none}})
  if err!=nil{t.Fatal(err)}
  fmt.Println(n,set,"load",time.Since(s),p.Generated,len(p.Mutants()))
  text,_:=tools.Compile(context.Background(),cs[0].Inputs[0].Path,nil)
  s=time.Now(); m,_:=ir.Parse("x",text); fmt.Println("parse",time.Since(s),len(text))
  s=time.Now(); r:=operator.Generate(m,operator.Options{Source:p.Units[0].Source,Rules:rules}); fmt.Println("gen",time.Since(s))
  s=time.Now(); schemata.Apply(m,&r.Mutants[100]); schemata.Build(m,nil,schemata.Options{}); fmt.Println("build",time.Since(s), len(m.String()))
  b,remove,_:=temporaryBuilder(context.Background(),tools); defer remove()
  s=time.Now(); bin,err:=b.Build(context.Background(),p,"x"); if err!=nil{t.Fatal(err)}; fmt.Println("meta",time.Since(s))
  e,err:=execute.Start(context.Background(),bin,cs[0].Tests,execute.Options{}); if err!=nil{t.Fatal(err)}
  s=time.Now(); base,_:=e.Originals(context.Background()); fmt.Println("originals",time.Since(s),len(cs[0].Tests))
  var l []execute.Mutant; for i,x:=range p.Mutants(){ if i%30==0 {l=append(l,execute.Mutant{Selector:x.Selector,Site:x.Site.Ordinal})}}
  s=time.Now(); res,_:=e.Kill(context.Background(),base,l); fmt.Println("kill",time.Since(s),len(l),res.Runs,res.HandedOn)
  s=time.Now(); for i:=0;i<20;i++ {e.Observe(context.Background(),0,i)}; fmt.Println("20 observe",time.Since(s))
  e.Close()
 }}
}
